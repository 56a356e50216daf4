// All facts as one text, for complete comparisons. It shares no code with src/facts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::test {

class Shown {
 public:
  template <class T>
  static std::string of(const T& value) {
    if constexpr (std::is_enum_v<T>)
      return fmt::format("{}", static_cast<int>(value));
    else if constexpr (std::is_convertible_v<T, std::string_view>)
      return fmt::format("'{}'", std::string_view(value));
    else if constexpr (std::is_arithmetic_v<T>)
      return fmt::format("{}", value);
    else
      return all(value);
  }

 private:
  template <class... Fields>
  static std::string list(const Fields&... fields) {
    std::string out = "{";
    ((out += of(fields), out += ' '), ...);
    return out + "}\n";
  }

  template <class Tag>
  static std::string all(const Index<Tag>& index) {
    return of(index.value);
  }
  template <class T>
  static std::string all(const std::optional<T>& value) {
    return value ? "(" + of(*value) + ")" : "nothing";
  }
  template <class Tag>
  static std::string all(const OptionalIndex<Tag>& index) {
    return all(std::optional<Index<Tag>>(index));
  }
  template <class T>
  static std::string all(const std::vector<T>& items) {
    std::string out = "[";
    for (const T& item : items) out += of(item) + ",";
    return out + "]";
  }
  static std::string all(const std::unique_ptr<const StringPool>&) { return ""; }  // the owner of a text is not a fact
  static std::string all(const MemberPath& path) { return of(path.text()); }
  static std::string all(const ElfRole& role) {
    return fmt::format("{} ", role.index()) + std::visit([](const auto& what) { return all(what); }, role);
  }
  static std::string all(const BundledLibrary&) { return ""; }
  static std::string all(const PlainLibrary&) { return ""; }
  static std::string all(const Program&) { return ""; }
  static std::string all(const BrokenElf&) { return ""; }

#define WHEELCHECK_SHOW(type, ...)           \
  static std::string all(const type& fact) { \
    const auto& [__VA_ARGS__] = fact;        \
    return list(__VA_ARGS__);                \
  }
  WHEELCHECK_SHOW(Version, parts)
  WHEELCHECK_SHOW(PlatformTag, a, b, c, d, e, f)
  WHEELCHECK_SHOW(Flaw, a, b, c)
  WHEELCHECK_SHOW(VersionNeed, a, b, c, d)
  WHEELCHECK_SHOW(VersionDefinition, a, b, c)
  WHEELCHECK_SHOW(Import, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(Export, a, b, c, d, e, f, g, h, i)
  WHEELCHECK_SHOW(Reference, a, b, c, d)
  WHEELCHECK_SHOW(SearchPath, a, b)
  WHEELCHECK_SHOW(LoaderFlags, a, b, c, d, e, f, g, h, i, j)
  WHEELCHECK_SHOW(DroppedSymbols, a, b, c)
  WHEELCHECK_SHOW(DynamicFacts, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  WHEELCHECK_SHOW(VersionVariable, a, b)
  WHEELCHECK_SHOW(TextFacts, a, b, c, d, e, f)
  WHEELCHECK_SHOW(CythonFunction, a, b)
  WHEELCHECK_SHOW(DefinedType, a, b, c)
  WHEELCHECK_SHOW(ImportedType, a, b, c, d)
  WHEELCHECK_SHOW(InterfaceFacts, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  WHEELCHECK_SHOW(DeviceImage, a, b, c, d, e)
  WHEELCHECK_SHOW(DeviceCode, a, b)
  WHEELCHECK_SHOW(SectionSize, a, b)
  WHEELCHECK_SHOW(SectionFacts, a, b, c, d, e)
  WHEELCHECK_SHOW(Segments, a, b, c, d, e, f, g, h)
  WHEELCHECK_SHOW(AbiNote, a, b, c, d)
  WHEELCHECK_SHOW(LoaderCall, a, b, c, d)
  WHEELCHECK_SHOW(StartupInstruction, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(VectorCode, a, b, c, d, e)
  WHEELCHECK_SHOW(ElfFacts, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac,
                  ad, ae, af, ag)
  WHEELCHECK_SHOW(ExtensionModule, a, b, c)
  WHEELCHECK_SHOW(ForeignCode, a)
  WHEELCHECK_SHOW(ElfMember, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(WheelName, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(WheelFile, a, b, c)
  WHEELCHECK_SHOW(Metadata, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(RecordRow, a, b, c)
  WHEELCHECK_SHOW(MemberFacts, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(WheelFlaw, a, b, c, d, e)
  WHEELCHECK_SHOW(PythonCall, a, b, c, d, e, f, g)
  WHEELCHECK_SHOW(PythonName, a, b)
  WHEELCHECK_SHOW(PythonUnit, a, b, c)
  WHEELCHECK_SHOW(PythonEvent, a, b, c, d, e, f, g, h, i, j, k)
  WHEELCHECK_SHOW(PythonCondition, a, b, c)
  WHEELCHECK_SHOW(PythonVariable, a, b, c, d)
  WHEELCHECK_SHOW(PythonDescriptor, a, b, c, d, e, f)
  WHEELCHECK_SHOW(PythonRefusal, a, b, c)
  WHEELCHECK_SHOW(PythonFile, a, b, c, d, e, f, g, h, i, j, k)
  WHEELCHECK_SHOW(SbomPart, a, b, c)
  WHEELCHECK_SHOW(Sbom, a, b, c)
  WHEELCHECK_SHOW(ScriptEntry, a, b)
  WHEELCHECK_SHOW(ScriptLine, a, b, c)
  WHEELCHECK_SHOW(WheelFacts, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
#undef WHEELCHECK_SHOW
  template <class T, std::size_t n>
  static std::string all(const std::array<T, n>& items) {
    return all(std::vector<T>(items.begin(), items.end()));
  }
};

}  // namespace wheelcheck::test
