// Reads the crate from Rust's two manglings: the legacy one, which is a C++ name with a hash, and v0 (RFC 2603).
#include "mangling/mangled.h"

namespace wheelcheck::mangled {
namespace {

using Scheme = Mangled::Scheme;

// [s <base-62-number> _]
bool skip_disambiguator(Cursor& in) {
  if (!in.take('s')) return true;
  while (is_alnum(in.peek())) in.skip();
  return in.take('_');
}

}  // namespace

// The last component of a legacy name is a hash: 17h, 16 hex digits, E. LLVM may append ".llvm." and a number.
bool is_rust_legacy(std::string_view name) {
  constexpr std::size_t tail = 20;
  if (!name.starts_with("_ZN")) return false;
  if (!name.ends_with('E') && is_digit(name.back()))
    if (const std::size_t dot = name.rfind(".llvm."); dot != name.npos) name = name.substr(0, dot);
  if (name.size() < tail + 3 || !name.ends_with('E')) return false;
  name.remove_prefix(name.size() - tail);
  return name.starts_with("17h") && std::ranges::all_of(name.substr(3, 16), is_lower_hex);
}
Mangled read_rust_legacy(std::string_view name) {
  Mangled out;
  Cursor in(name.substr(3));
  std::size_t length = 0;
  if (!in.number(length)) return out;
  const std::string_view crate = in.bytes(length);
  if (crate.empty()) return out;
  out.scheme = Scheme::RustLegacy;
  // "_$LT$T$u20$as$u20$Trait$GT$" is an impl, whose crate would have to be decoded.
  if (crate.find('$') == crate.npos) out.scope[out.depth++] = crate;
  return out;
}

Mangled read_rust_v0(std::string_view name) {
  Mangled out;
  Cursor in(name.substr(2));
  std::size_t length = 0;
  if (is_digit(in.peek())) return out;  // a future version of the mangling
  while (!in.done()) {
    if (in.take('N')) {  // nested-path: namespace, path, name
      if (!is_alpha(in.peek())) return out;
      in.skip();
    } else if (in.take('M') || in.take('X')) {  // impl of a type or trait: the path of its parent
      if (!skip_disambiguator(in)) return out;
    } else if (in.take('Y')) {  // <type as trait>
      if (in.peek() != 'N' && in.peek() != 'C' && in.peek() != 'I') {
        if (is_alpha(in.peek())) out.scheme = Scheme::RustV0;
        return out;
      }
    } else if (!in.take('I')) {  // the path follows, then generic arguments
      break;
    }
  }
  if (!in.take('C') || !skip_disambiguator(in) || !in.number(length)) return out;
  in.take('_');
  const std::string_view crate = in.bytes(length);
  if (crate.empty()) return out;
  out.scheme = Scheme::RustV0;
  out.scope[out.depth++] = crate;
  return out;
}

}  // namespace wheelcheck::mangled
