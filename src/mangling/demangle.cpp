#include "mangling/demangle.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "llvm/Demangle/Demangle.h"
#include "llvm/Demangle/ItaniumDemangle.h"

namespace wheelcheck {
namespace {

namespace itanium = llvm::itanium_demangle;

// The allocator for the nodes of LLVM's parser. Their destructors are trivial.
class Arena {
 public:
  void reset() { blocks_.clear(); }
  template <class T, class... Args>
  T* makeNode(Args&&... args) {
    return new (take(sizeof(T))) T(std::forward<Args>(args)...);
  }
  void* allocateNodeArray(std::size_t count) {
    widest_ = std::max(widest_, count);
    return take(sizeof(itanium::Node*) * count);
  }
  // number of elements of the largest list: parameters, arguments, a pack
  std::size_t widest() const { return widest_; }

 private:
  void* take(std::size_t bytes) {
    return blocks_.emplace_back(new std::max_align_t[bytes / sizeof(std::max_align_t) + 1]).get();
  }
  std::deque<std::unique_ptr<std::max_align_t[]>> blocks_;
  std::size_t widest_ = 1;
};
struct Parser : itanium::ManglingParser<Arena> {
  using ManglingParser::ManglingParser;
};

// Computes an upper bound for the length of the printed name from the syntax tree. A substitution (5.1.10 of the ABI)
// is a node with many parents, so each node is measured once. `widest` is the size of the largest list, because a pack
// expansion prints its pattern for each element.
class Length {
 public:
  explicit Length(std::uint64_t widest) : widest_(widest) {}

  std::uint64_t of(const itanium::Node* node) {
    if (node == nullptr) return 0;
    if (depth_ == deepest) return capped(UINT64_MAX);              // real names are not nested that deep
    const auto [known, fresh] = lengths_.emplace(node, per_node);  // a node that refers to itself counts once
    if (!fresh) return known->second;
    std::uint64_t sum = per_node;
    ++depth_;
    node->visit([&](const auto* concrete) {
      using Kind = std::remove_cvref_t<decltype(*concrete)>;
      if constexpr (std::is_same_v<Kind, itanium::ForwardTemplateReference>)
        sum = capped(sum + of(concrete->Ref));
      else
        concrete->match([&](const auto&... parts) { ((sum = capped(sum + part(parts))), ...); });
    });
    --depth_;
    if (node->getKind() == itanium::Node::KParameterPackExpansion) sum = capped(sum * widest_);
    return lengths_[node] = sum;
  }

 private:
  static constexpr unsigned deepest = 256;  // levels of the tree; with sanitizers each level takes kilobytes of stack
  // "std::basic_string<char, ...>" is one node and the longest fixed text
  static constexpr std::uint64_t per_node = 96;
  static std::uint64_t capped(std::uint64_t length) {
    return std::min<std::uint64_t>(length, std::uint64_t{2} * longest_demangled);
  }
  template <class Part>
  std::uint64_t part(const Part& part) {
    if constexpr (std::is_convertible_v<Part, const itanium::Node*>) return of(part);
    if constexpr (std::is_convertible_v<Part, std::string_view>) return part.size();
    std::uint64_t sum = 0;
    if constexpr (std::is_same_v<Part, itanium::NodeArray>)
      for (const itanium::Node* const node : part) sum = capped(sum + of(node));
    return sum;
  }

  std::uint64_t widest_;
  unsigned depth_ = 0;
  std::unordered_map<const itanium::Node*, std::uint64_t> lengths_;
};

bool is_printable(std::string_view symbol) {
  Parser parser(symbol.data(), symbol.data() + symbol.size());
  const itanium::Node* const tree = parser.parse();
  return tree != nullptr && Length(parser.ASTAllocator.widest()).of(tree) <= longest_demangled;
}

// A Rust name repeats parts by backreferences, "B" and a number. Each can at most double the length.
bool has_few_backreferences(std::string_view symbol) { return std::ranges::count(symbol, 'B') <= 12; }

}  // namespace

std::string demangle(std::string_view symbol) {
  char* plain = nullptr;
  if (symbol.size() <= longest_mangled) {
    if (symbol.starts_with("_Z") && is_printable(symbol)) plain = llvm::itaniumDemangle(symbol);
    if (symbol.starts_with("_R") && has_few_backreferences(symbol)) plain = llvm::rustDemangle(symbol);
  }
  if (plain == nullptr) return std::string(symbol);
  const std::unique_ptr<char, decltype(&std::free)> owner(plain, &std::free);
  return plain;
}

std::string demangle_briefly(std::string_view symbol) {
  constexpr std::string_view full = "basic_string<char, std::char_traits<char>, std::allocator<char>>";
  const std::string plain = demangle(symbol);
  std::string out;
  for (std::string_view rest = plain;;) {
    const std::size_t at = rest.find(full);
    out += rest.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += "string";
    rest.remove_prefix(at + full.size());
  }
}

}  // namespace wheelcheck
