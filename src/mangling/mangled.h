// Whose a symbol is, by its mangled name: the outermost scopes and what the compiler made it for, read from the front
// of the name. Nothing is demangled and nothing allocated, because a library may export half a million names.
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
    None,        // not mangled, or broken before its first scope was read
    Itanium,     // C++ (Itanium C++ ABI 5.1)
    RustLegacy,  // _ZN...17h<16 hex digits>E
    RustV0,      // _R...
  };
  enum class Made : std::uint8_t {
    Entity,              // a function or variable that somebody wrote
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
  static constexpr std::size_t most_scopes = 4;

  Scheme scheme = Scheme::None;
  Made made = Made::Entity;
  // Outermost first, without ABI tags and template arguments; what follows a class template is not read. The entity
  // itself is no scope of its own, but a class is one of its vtable and its typeinfo. A name that is local to a
  // function has the scopes of that function. Of a Rust name only the crate.
  std::array<std::string_view, most_scopes> scope{};
  std::size_t depth = 0;  // how many of them

  std::span<const std::string_view> scopes() const& { return std::span(scope).first(depth); }
  void scopes() const&& = delete;                          // would point into what is gone
  std::string_view outermost() const { return scope[0]; }  // "" at global scope
};

inline constexpr std::string_view anonymous_namespace = "(anonymous namespace)";

// Reads no more than the name's scopes, in time linear in what it reads. Views point into `symbol` or to constants.
Mangled read_mangled(std::string_view symbol);

// Vtable, VTT, construction vtable, typeinfo, its name, guard variable: made for a class or variable, not written.
constexpr bool is_rtti(Mangled::Made made) { return made >= Mangled::Made::Vtable && made <= Mangled::Made::Guard; }

}  // namespace wheelcheck

namespace wheelcheck::mangled {

// A place in a mangled name, and the readers of the name's parts that share it. Never leaves the text, whatever it
// says.

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
  // <number> of at most nine digits, so that it cannot wrap.
  bool number(std::size_t& out) {
    std::size_t digits = 0;
    for (out = 0; is_digit(peek()) && digits < 9; ++digits, skip())
      out = out * 10 + static_cast<unsigned>(peek() - '0');
    return digits > 0 && !is_digit(peek());
  }
  // `length` bytes of text; empty where there are not so many.
  std::string_view bytes(std::size_t length) {
    if (length > text_.size() - at_) return {};
    const std::string_view result = text_.substr(at_, length);
    skip(length);
    return result;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;  // never behind the end
};

// mangled_rust.cpp
bool is_rust_legacy(std::string_view name);
Mangled read_rust_legacy(std::string_view name);
Mangled read_rust_v0(std::string_view name);

}  // namespace wheelcheck::mangled
