// Indices with a type. An index of one kind cannot be used where another kind is expected.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace wheelcheck {

template <class Tag>
struct Index {
  std::uint32_t value{};
  auto operator<=>(const Index&) const = default;
};

// An optional index of four bytes; std::optional would take eight, and there are millions of them. UINT32_MAX means
// that there is no index.
template <class Tag>
class OptionalIndex {
 public:
  constexpr OptionalIndex() = default;
  constexpr OptionalIndex(Index<Tag> index) : value_(index.value) {}
  constexpr OptionalIndex(std::optional<Index<Tag>> index) : value_(index ? index->value : none) {}
  constexpr operator std::optional<Index<Tag>>() const {
    return value_ == none ? std::nullopt : std::optional(Index<Tag>{value_});
  }
  bool operator==(const OptionalIndex&) const = default;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t value_ = none;
};

using WheelIndex = Index<struct WheelIndexTag>;              // into the wheels of one run
using MemberIndex = Index<struct MemberIndexTag>;            // into WheelFacts::members
using ElfIndex = Index<struct ElfIndexTag>;                  // into WheelFacts::elfs
using NeedIndex = Index<struct NeedIndexTag>;                // into DynamicFacts::needs
using LevelIndex = Index<struct LevelIndexTag>;              // into PolicyLevels::levels, 0 = `linux`
using RequirementIndex = Index<struct RequirementIndexTag>;  // into Assessment::requirements
using SourceIndex = Index<struct SourceIndexTag>;            // into Resolution::sources

// An ELF file of a wheel of the run.
struct ElfRef {
  WheelIndex wheel;
  ElfIndex elf;
  auto operator<=>(const ElfRef&) const = default;
};

}  // namespace wheelcheck
