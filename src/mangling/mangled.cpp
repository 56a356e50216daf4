// Reads the scopes of mangled names: Itanium C++ ABI, section 5.1 (External Names), and Rust's RFC 2603 (symbol name
// mangling v0).
//
// Most questions about a C++ name are about its scope: which library owns it, whether it is of namespace std, whether
// it has the new std::string. The scope is at the start of the mangled name in clear text, so millions of names are
// judged without demangling them; name_walk.cpp knows just enough of the grammar to skip substitutions and template
// arguments. Only what a person reads is demangled (demangle.cpp), by LLVM, within a bound on its output.
#include "mangling/mangled.h"

#include "base/text.h"

namespace wheelcheck {
namespace {

using Made = Mangled::Made;
using Scheme = Mangled::Scheme;
using mangled::Cursor;

// <operator-name>, two letters each; cv (the conversion) is included, v0 to v9 are vendor extensions.
constexpr std::string_view operators =
    "nwnadldaawpsngaddecoplmimldvrmanoreoaSpLmImLdVrMaNoReOlsrslS"
    "rSeqneltgtlegessntaaooppmmcmpmptclixqucvli";

bool is_operator(char first, char second) {
  if (first == 'v') return is_digit(second);
  for (std::size_t i = 0; i + 1 < operators.size(); i += 2)
    if (operators[i] == first && operators[i + 1] == second) return true;
  return false;
}

// Parses one Itanium name. Every function returns false if the text does not match the grammar.
class ItaniumReader {
 public:
  explicit ItaniumReader(std::string_view name) : in_(name) {}

  Mangled read() {
    Mangled none;
    if (!in_.take("_Z")) return none;
    if (!special() || !encoding()) return none;
    out_.scheme = Scheme::Itanium;
    return out_;
  }

 private:
  enum class Subject {
    Entity,   // the named entity is a member of the scope
    Class,    // the named entity is a class, which is a scope itself
    Nothing,  // no name follows
  };

  // Parses <special-name> up to the name or type that it refers to.
  bool special() {
    if (in_.peek() == 'T') return special_t(in_.peek(1));
    if (in_.peek() == 'G') return special_g(in_.peek(1));
    return true;
  }
  bool begin(Made made, Subject subject, std::size_t letters = 2) {
    out_.made = made;
    subject_ = subject;
    in_.skip(letters);
    return true;
  }
  bool special_t(char kind) {
    switch (kind) {
      case 'V':
        return begin(Made::Vtable, Subject::Class);
      case 'T':
        return begin(Made::Vtt, Subject::Class);
      case 'C':  // the class under construction, followed by the offset and the base
        return begin(Made::ConstructionVtable, Subject::Class);
      case 'I':
        return begin(Made::Typeinfo, Subject::Class);
      case 'S':
        return begin(Made::TypeinfoName, Subject::Class);
      case 'W':
        return begin(Made::TlsWrapper, Subject::Entity);
      case 'H':
        return begin(Made::TlsInit, Subject::Entity);
      case 'A':  // <template-arg>: an expression, which has no scope
        return begin(Made::TemplateObject, Subject::Nothing);
      case 'h':
      case 'v':
        return begin(Made::Thunk, Subject::Entity, 1) && call_offset();
      case 'c':
        return begin(Made::Thunk, Subject::Entity) && call_offset() && call_offset();
      default:
        return false;
    }
  }
  bool special_g(char kind) {
    switch (kind) {
      case 'V':
        return begin(Made::Guard, Subject::Entity);
      case 'R':
        return begin(Made::ReferenceTemporary, Subject::Entity);
      case 'A':  // hidden alias
        return begin(Made::Entity, Subject::Entity);
      case 'I':
        return begin(Made::ModuleInit, Subject::Nothing);
      case 'T':
        return (in_.peek(2) == 't' || in_.peek(2) == 'n') && begin(Made::TransactionClone, Subject::Entity, 3);
      default:
        return false;
    }
  }
  // <call-offset> ::= h <number> _ | v <number> _ <number> _
  bool call_offset() {
    const bool is_virtual = in_.peek() == 'v';
    if (!is_virtual && in_.peek() != 'h') return false;
    in_.skip();
    return offset() && (!is_virtual || offset());
  }
  bool offset() {
    std::size_t value = 0;
    in_.take('n');
    return in_.number(value) && in_.take('_');
  }

  bool encoding() {
    if (subject_ == Subject::Nothing) return !in_.done();
    if (out_.made == Made::Typeinfo || out_.made == Made::TypeinfoName) {
      if (!qualifiers_of_type()) return false;
      if (is_type_without_scope()) return true;
    }
    // <local-name> ::= Z <function encoding> E <entity name>. The scope is that of the function.
    while (in_.take('Z')) subject_ = Subject::Entity;
    return name();
  }
  // Skips the qualifiers of a class type: cv, pointer, reference, complex, array, vendor qualifier, elaborated type.
  bool qualifiers_of_type() {
    for (;;) {
      in_.skip_any("rVKPROCG");
      std::size_t length = 0;
      if (in_.peek() == 'A') {
        in_.skip();
        in_.number(length);
        if (!in_.take('_')) return false;
      } else if (in_.peek() == 'U' && is_digit(in_.peek(1))) {
        in_.skip();
        if (!in_.number(length) || in_.bytes(length).empty()) return false;
      } else if (in_.peek() == 'T' && (in_.peek(1) == 's' || in_.peek(1) == 'u' || in_.peek(1) == 'e')) {
        in_.skip(2);
      } else {
        return true;
      }
    }
  }
  // True for a builtin, function, member pointer, decltype, vector or vendor type.
  bool is_type_without_scope() const {
    const char c = in_.peek();
    return is_lower(c) || c == 'F' || c == 'M' || c == 'D';
  }

  bool name() {
    in_.take('L');  // internal linkage
    if (in_.take('N')) return nested();
    if (in_.peek() == 'S') {
      if (!standard()) return false;
      return out_.depth > 1 || unscoped();
    }
    return unscoped();
  }
  // <unscoped-name>, after St or without it.
  bool unscoped() {
    if (!prefixes()) return false;
    std::string_view identifier;
    if (is_digit(in_.peek())) {
      if (!source_name(identifier)) return false;
      if (subject_ == Subject::Class) push(identifier);
      return true;
    }
    return nameless();
  }
  // <nested-name> ::= N [<CV-qualifiers>] [<ref-qualifier>] <prefix> <unqualified-name> E
  bool nested() {
    in_.take('H');  // explicit object parameter
    in_.skip_any("rVK");
    in_.skip_any("RO");
    if (in_.peek() == 'S' && !standard()) return false;
    while (out_.depth < Mangled::max_scopes) {
      if (!prefixes()) return false;
      std::string_view identifier;
      if (!is_digit(in_.peek())) return out_.depth > 0 || nameless();
      if (!source_name(identifier)) return false;
      if (in_.done()) return false;
      const bool last = in_.peek() == 'E';
      const bool is_template = in_.peek() == 'I';
      // After a namespace, a template may be a function or a class; only the end of its arguments would show which.
      if (subject_ == Subject::Class || (!last && !(is_template && out_.depth > 0))) push(identifier);
      if (last || is_template) return true;
      in_.take('M');  // the scope is a variable whose initializer contains a closure
    }
    return true;
  }
  // <substitution> of the standard library. Other substitutions refer to earlier parts, and there are none here.
  bool standard() {
    static constexpr struct {
      char letter;
      std::string_view name;
    } known[] = {{'a', "allocator"},     {'b', "basic_string"},  {'s', "basic_string"},
                 {'i', "basic_istream"}, {'o', "basic_ostream"}, {'d', "basic_iostream"}};
    if (in_.take("St")) {
      push("std");
      return true;
    }
    for (const auto& [letter, name] : known) {
      if (in_.peek(1) != letter) continue;
      in_.skip(2);
      push("std");
      push(name);
      return true;
    }
    return false;
  }
  // Skips what may precede an unqualified name: internal linkage, friend, module.
  bool prefixes() {
    for (;;) {
      if (in_.peek() == 'L' || (in_.peek() == 'F' && is_digit(in_.peek(1)))) {
        in_.skip();
      } else if (in_.peek() == 'W') {
        std::string_view module;
        in_.skip();
        in_.take('P');  // partition
        if (!source_name(module)) return false;
      } else {
        return true;
      }
    }
  }
  // True for names that cannot be a scope: operators, structured bindings, unnamed types, closures. Constructors and
  // destructors follow a scope and do not occur here.
  bool nameless() const {
    const char first = in_.peek(), second = in_.peek(1);
    if (first == 'D') return second == 'C';
    if (first == 'U') return second == 't' || second == 'l';
    // The literal operator is followed by a name, which distinguishes it from a C name such as _Zlib.
    return first == 'l' && second == 'i' ? is_digit(in_.peek(2)) : is_operator(first, second);
  }
  // <source-name> and its <abi-tags>.
  bool source_name(std::string_view& out) {
    std::size_t length = 0;
    if (!in_.number(length)) return false;
    out = in_.bytes(length);
    if (out.empty()) return false;
    while (in_.peek() == 'B' && is_digit(in_.peek(1))) {
      in_.skip();
      if (!in_.number(length) || in_.bytes(length).empty()) return false;
    }
    // The name of the unnamed namespace in GCC and Clang; the byte before N depends on the assembler.
    if (out.size() >= 10 && out.starts_with("_GLOBAL_") && out[9] == 'N' &&
        (out[8] == '_' || out[8] == '.' || out[8] == '$'))
      out = anonymous_namespace;
    return true;
  }
  void push(std::string_view scope) {
    if (out_.depth < Mangled::max_scopes) out_.scope[out_.depth++] = scope;
  }

  Cursor in_;
  Mangled out_;
  Subject subject_ = Subject::Entity;
};

}  // namespace

Mangled read_mangled(std::string_view symbol) {
  if (symbol.size() < 3 || symbol[0] != '_') return {};
  if (symbol[1] == 'R') return mangled::read_rust_v0(symbol);
  if (symbol[1] != 'Z') return {};
  return mangled::is_rust_legacy(symbol) ? mangled::read_rust_legacy(symbol) : ItaniumReader(symbol).read();
}

}  // namespace wheelcheck
