#include "mangling/cxx_name.h"

#include <algorithm>
#include <array>

#include "base/byte_scan.h"
#include "base/text.h"
#include "mangling/name_walk.h"

namespace wheelcheck {
namespace {

// Classes of namespace std that libstdc++ moved into std::__cxx11 (macros _GLIBCXX_BEGIN_NAMESPACE_CXX11 and its end).
// The class of that name in std itself is the old one.
constexpr std::array<std::string_view, 5> moved = {"list", "basic_stringbuf", "basic_istringstream",
                                                   "basic_ostringstream", "basic_stringstream"};
// Inline namespaces of libc++: upstream, Android, Chromium, Fuchsia.
constexpr std::array<std::string_view, 5> libcxx_versions = {"__1", "__2", "__ndk1", "__Cr", "__Fuchsia"};
constexpr std::array<std::string_view, 4> runtime_scopes = {"__gnu_cxx", "__cxxabiv1", "__gnu_debug", "__cxxabiv2"};

// Whether a relevant part may start at `i`: Ss, Sb, cxx11, or St followed by a name in `moved`.
bool matches_at(std::string_view name, std::size_t i) {
  const std::string_view rest = name.substr(i);
  if (rest.starts_with("Ss") || rest.starts_with("Sb") || rest.starts_with("xx11")) return true;
  if (!rest.starts_with("St") || rest.size() < 3 || !is_digit(rest[2])) return false;
  return std::ranges::any_of(
      moved, [&](std::string_view one) { return rest.substr(one.size() > 9 ? 4 : 3, one.size()) == one; });
}

// A fast filter: most names contain no relevant text and need no walk. It runs over a hundred megabytes of names.
bool may_name_a_string(std::string_view name) {
  constexpr std::size_t prefix = 2;
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'S') & ((d == 's') | (d == 'b') | (d == 't'))) | ((c == 'x') & (d == 'x'));
  };
  return any_pair(name, prefix, name.size(), matches, [&](std::size_t at) { return matches_at(name, at); });
}

// Walks to the outermost name. Returns its part and leaves `name` after it.
NamePart to_scope(NameWalk& name) {
  const auto leads_on = [&](NamePart part) {
    if (part == NamePart::Open) return name.text() == "N" || name.text() == "Z";
    // Two small letters are an operator without a scope; single ones are qualifiers of what follows.
    return part == NamePart::Other && !(name.text().size() == 2 && is_lower(name.text().front()));
  };
  NamePart part = name.next();
  while (leads_on(part)) part = name.next();
  return part;
}

// _ZN4llvm..., _ZNK4llvm..., _Z4main...: most names start with a scope that is clearly not std or a reserved name of
// the runtime. They need no walk.
bool starts_with_a_users_name(std::string_view symbol) {
  std::size_t at = symbol.substr(2, 1) == "N" ? 3 : 2;
  if (at == 3 && symbol.substr(3, 1) == "K") ++at;
  const std::size_t digits = at;
  while (at < symbol.size() && is_digit(symbol[at])) ++at;
  return at > digits && at < symbol.size() && symbol[at] != '_';
}

}  // namespace

bool is_cxx_name(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() < 4) return false;
  if (symbol.size() < 24 || !symbol.ends_with('E')) return true;
  const std::string_view hash = symbol.substr(symbol.size() - 20);
  return !(hash.starts_with("17h") && std::ranges::all_of(hash.substr(3, 16), is_lower_hex));
}

StringNames string_names(std::string_view symbol) {
  StringNames found;
  if (!is_cxx_name(symbol) || !may_name_a_string(symbol)) return found;
  NameWalk name(symbol);
  for (NamePart part = name.next(); part != NamePart::End; part = name.next()) {
    const std::string_view text = name.text();
    if (part == NamePart::Abbreviation && (text == "Ss" || text == "Sb")) found.old_abi = true;
    if (part == NamePart::Name && name.in_std() && contains(moved, text)) found.old_abi = true;
    if (part == NamePart::Name && text == "__cxx11") found.new_abi = true;
    if (part == NamePart::Tag && text == "cxx11") found.new_abi = true;
    if (found.old_abi && found.new_abi) break;
  }
  return found;
}

CxxScope cxx_scope(std::string_view symbol) {
  if (!is_cxx_name(symbol) || starts_with_a_users_name(symbol)) return CxxScope::User;
  NameWalk name(symbol);
  const NamePart part = to_scope(name);
  if (part == NamePart::Name) return contains(runtime_scopes, name.text()) ? CxxScope::Libstdcxx : CxxScope::User;
  if (part != NamePart::Abbreviation) return CxxScope::User;
  if (name.text() != "St") return CxxScope::Libstdcxx;
  if (name.next() == NamePart::Name && contains(libcxx_versions, name.text())) return CxxScope::Libcxx;
  return CxxScope::Libstdcxx;
}

bool is_runtime_code(std::string_view symbol) {
  if (cxx_scope(symbol) == CxxScope::User) return false;
  NameWalk name(symbol);
  if (name.next() != NamePart::Open || name.text() != "N") return false;
  for (NamePart part = name.next(); part != NamePart::End; part = name.next()) {
    if (part == NamePart::Open) return false;
    // Ss is the type std::string, and the others are types as well; only St is a namespace.
    if (part == NamePart::Abbreviation && name.text() != "St") return false;
    if (part == NamePart::Close) return true;
  }
  return false;
}

std::string_view qualified_part(std::string_view symbol) {
  if (!is_cxx_name(symbol)) return {};
  NameWalk name(symbol);
  bool nested = false;
  for (NamePart part = name.next(); part != NamePart::End; part = name.next()) {
    nested = nested || (part == NamePart::Open && name.depth() == 1 && name.text() == "N");
    if (part == NamePart::Close && name.depth() == 0) return symbol.substr(0, name.at());
    if (part == NamePart::Name && !nested && name.depth() == 0) return symbol.substr(0, name.at());
  }
  return {};
}

}  // namespace wheelcheck
