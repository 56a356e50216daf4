// Finds the owner of a symbol from its mangled name: the outermost scopes, and the kind of entity that the compiler
// generated it for. Only the start of the name is read. Nothing is demangled or allocated, because a library may export
// half a million names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/text.h"

namespace wheelcheck {

struct Mangled {
  enum class Scheme : std::uint8_t {
    None,        // not mangled, or malformed before the end of its first scope
    Itanium,     // C++ (Itanium C++ ABI 5.1)
    RustLegacy,  // _ZN...17h<16 hex digits>E
    RustV0,      // _R...
  };
  enum class Made : std::uint8_t {
    Entity,              // a function or variable of the source code
    Vtable,              // _ZTV
    Vtt,                 // _ZTT
    ConstructionVtable,  // _ZTC
    Typeinfo,            // _ZTI
    TypeinfoName,        // _ZTS
    Guard,               // _ZGV
    Thunk,               // _ZTh, _ZTv, _ZTc
    TlsWrapper,          // _ZTW
    TlsInit,             // _ZTH
    ReferenceTemporary,  // _ZGR
    TransactionClone,    // _ZGTt, _ZGTn
    TemplateObject,      // _ZTA
    ModuleInit,          // _ZGI
  };
  static constexpr std::size_t max_scopes = 4;

  Scheme scheme = Scheme::None;
  Made made = Made::Entity;
  // Outermost first, without ABI tags and template arguments; scopes after a class template are not read. The entity
  // itself is not included, but the class of a vtable or typeinfo is. A name local to a function has the scopes of that
  // function. For a Rust name, only the crate.
  std::array<std::string_view, max_scopes> scope{};
  std::size_t depth = 0;  // number of scopes

  std::span<const std::string_view> scopes() const& { return std::span(scope).first(depth); }
  void scopes() const&& = delete;                          // would return a dangling span
  std::string_view outermost() const { return scope[0]; }  // "" at global scope
};

inline constexpr std::string_view anonymous_namespace = "(anonymous namespace)";

// Reads only the scopes of the name, in time linear in their length. The views point into `symbol` or to constants.
Mangled read_mangled(std::string_view symbol);

// True for a vtable, VTT, construction vtable, typeinfo, typeinfo name or guard variable, which the compiler generates
// for a class or variable.
constexpr bool is_rtti(Mangled::Made made) { return made >= Mangled::Made::Vtable && made <= Mangled::Made::Guard; }

}  // namespace wheelcheck

namespace wheelcheck::mangled {

// A position in a mangled name, shared by the parsers of its parts. It never leaves the text.

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0'; }
  void skip(std::size_t count = 1) { at_ += std::min(count, text_.size() - at_); }
  bool take(char c) {
    if (peek() != c) return false;
    skip();
    return true;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    skip(word.size());
    return true;
  }
  void skip_any(std::string_view letters) {
    while (!done() && letters.find(peek()) != letters.npos) skip();
  }
  // Parses <number> with at most nine digits, so that it cannot overflow.
  bool number(std::size_t& out) {
    std::size_t digits = 0;
    for (out = 0; is_digit(peek()) && digits < 9; ++digits, skip())
      out = out * 10 + static_cast<unsigned>(peek() - '0');
    return digits > 0 && !is_digit(peek());
  }
  // The next `length` bytes; empty if there are fewer.
  std::string_view bytes(std::size_t length) {
    if (length > text_.size() - at_) return {};
    const std::string_view result = text_.substr(at_, length);
    skip(length);
    return result;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;  // at most the end of the text
};

// mangled_rust.cpp
bool is_rust_legacy(std::string_view name);
Mangled read_rust_legacy(std::string_view name);
Mangled read_rust_v0(std::string_view name);

}  // namespace wheelcheck::mangled
