// The severity and reason of a relation. First comes proof that two definitions are incompatible, then knowledge about
// the two libraries, then heuristics. docs/loader.md has the table with its evidence.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "mangling/cxx_name.h"
#include "mangling/mangled.h"
#include "wheelcheck/version.h"

namespace wheelcheck::conflicts {
namespace {

// With fewer functions, equal sizes could be a coincidence.
constexpr std::uint32_t enough_functions = 10, same_build_percent = 98;
// More C++ names of an unknown version than this indicate shared class layouts, not only a helper function.
constexpr std::uint32_t many_cxx_names = 50;
// Fewer C functions of an unknown version than this indicate a copied helper function, not a library.
constexpr std::uint32_t few_c_names = 5;
constexpr std::size_t shown_examples = 5;

struct Graded {
  Reason reason;
  Severity severity;
};

std::string_view text_of(const std::optional<std::string_view>& text) { return text ? *text : std::string_view(); }

bool same_file(const Installation& installation, ObjectIndex a, ObjectIndex b) {
  const ElfMember *const first = installation.member(a), *const second = installation.member(b);
  if (first == nullptr || second == nullptr) return false;
  const auto sha_of = [&](ObjectIndex object, const ElfMember& file) -> const std::string& {
    return installation.distributions[installation.origins[object.value].distribution.value]
        .facts.members[file.member.value]
        .sha256;
  };
  const std::string &one = sha_of(a, *first), &two = sha_of(b, *second);
  const bool same_hash = !one.empty() && one == two;
  return same_hash || (first->facts.build_id && first->facts.build_id == second->facts.build_id);
}

std::string_view major_of(std::string_view version) { return version.substr(0, version.find('.')); }

// True for BLAS or LAPACK with 64-bit integers. Its symbols may have the same names as those with 32-bit integers; the
// file name shows it.
bool is_ilp64(const Installation& installation, ObjectIndex object) {
  const ElfFacts* const facts = installation.world.files[object.value].facts;
  if (facts == nullptr || !facts->dynamic) return false;
  const std::string& path = installation.world.files[object.value].path;
  for (const std::string_view name : {base_name(path), text_of(facts->dynamic->soname)})
    if (name.find("ilp64") != name.npos || name.find("64_") != name.npos || name.find("blas64") != name.npos)
      return true;
  return false;
}

// The major version of the newest GCC in .comment ("GCC: (GNU) 4.8.2 20140120 (Red Hat 4.8.2-15)"). 0: there is none,
// or another compiler.
std::uint64_t newest_gcc(const SectionFacts& sections) {
  constexpr std::string_view before = "GCC: (";
  std::uint64_t newest = 0;
  for (const std::string_view comment : sections.comments) {
    const std::size_t end = comment.find(") ");
    if (comment.contains("clang")) return 0;
    if (!comment.starts_with(before) || end == comment.npos) continue;
    std::uint64_t major = 0;
    for (const char c : comment.substr(end + 2)) {
      if (!is_digit(c) || major > 1000) break;
      major = 10 * major + static_cast<std::uint64_t>(c - '0');
    }
    newest = std::max(newest, major);
  }
  return newest;
}

}  // namespace

SeverityJudge::SeverityJudge(const Installation& installation, const Knowledge& knowledge)
    : installation_(installation), knowledge_(knowledge), attribute_(knowledge) {}

namespace {

class Case {
 public:
  Case(const Installation& installation, const Knowledge& knowledge, const Attributor& attribute, Relation& relation)
      : installation_(installation), knowledge_(knowledge), relation_(relation) {
    measured_ = measure(installation, relation, attribute);
    relation.tally = tally(measured_);
    identify(attribute);
    Graded graded = judge();
    // A wheel that relies on the system's library accepts any version that a system has.
    if (is_of_system() && (graded.reason == Reason::UnknownVersion || graded.reason == Reason::NewerProvider) &&
        cxx_ == 0)
      graded.severity = Severity::Note;
    // It goes well in the orders in which all users are bound to one copy.
    if (!relation.divided.empty() && is_of_system()) {
      graded = {Reason::Divided, Severity::Error};
      relation.load_plans = relation.divided;
    }
    // Nothing says that the library is used: PyQt5 and PySide2 bring Qt 5, and only a program imports their modules. If
    // a library lacks something, the import fails (WC210).
    if (relation.kind == RelationKind::Displaced && relation.maybe && graded.reason != Reason::AbiProof)
      graded.severity = std::min(graded.severity, Severity::Warning);
    // It happens only if the module is imported later than the order says.
    if (!relation.late_plans.empty() && relation.late_plans == relation.load_plans)
      graded.severity = std::min(graded.severity, Severity::Warning);
    // Programs decide when they import modules of the standard library, and usually do so earlier.
    if (!relation.distribution) graded.severity = std::min(graded.severity, Severity::Warning);
    relation.reason = graded.reason;
    relation.severity = graded.severity;
    relation.confidence = confidence();
    choose_examples();
  }

 private:
  bool is_of_system() const {
    const auto kind_of = [&](ObjectIndex object) { return installation_.origins[object.value].kind; };
    return kind_of(relation_.own) == Origin::Kind::Platform &&
           std::ranges::none_of(relation_.by, [&](ObjectIndex by) { return kind_of(by) == Origin::Kind::Stdlib; });
  }

  // Determines the library that most of the names belong to, and its version in the two files.
  void identify(const Attributor& attribute) {
    std::map<std::string_view, std::uint32_t> names;
    for (const SymbolPair& each : measured_) {
      if (each.standard) continue;
      const Attribution what = attribute(each.symbol->name);
      if (!what.library.empty()) ++names[what.library];
      const bool cxx = what.form == Attribution::Form::Cxx;
      cxx_ += cxx ? 1U : 0U;
      // g++ emits inline functions and templates as weak symbols in each file that uses them.
      (cxx ? strong_cxx_ : strong_c_) += each.own != nullptr && each.own->binding == Binding::Weak ? 0U : 1U;
    }
    const auto max = std::ranges::max_element(names, {}, [](const auto& entry) { return entry.second; });
    std::string_view id = max != names.end() ? max->first : std::string_view();
    // The names of BLAS and LAPACK belong to no particular library, so the two files determine it.
    if (id.empty() && !blas_in(relation_.provider).empty()) id = blas_in(relation_.own);
    if (!id.empty()) known_ = knowledge_.library(id);
    if (known_ != nullptr) {
      relation_.library = inside(relation_.own);
      relation_.provider_library = inside(relation_.provider);
    }
  }

  std::string_view blas_in(ObjectIndex object) const {
    if (const ElfAnalysis* const analysis = analysis_of(installation_, object))
      for (const IdentifiedLibrary& each : analysis->libraries)
        if (each.family == "blas" && each.confidence != Confidence::Low) return each.library;
    return {};
  }

  // The same library, or else another one of its family: BoringSSL may provide what was built against OpenSSL.
  LibraryInside inside(ObjectIndex object) const {
    LibraryInside found{.id = std::string(known_->id), .name = std::string(known_->name), .version = {}};
    const ElfAnalysis* const analysis = analysis_of(installation_, object);
    if (analysis == nullptr) return found;
    const IdentifiedLibrary *same = nullptr, *related = nullptr;
    for (const IdentifiedLibrary& each : analysis->libraries) {
      if (each.library == known_->id) same = &each;
      if (!known_->family.empty() && each.family == known_->family && each.confidence != Confidence::Low &&
          related == nullptr)
        related = &each;
    }
    const IdentifiedLibrary* const taken = same != nullptr && same->version ? same
                                           : related != nullptr             ? related
                                                                            : same;
    if (taken != nullptr) found = {.id = taken->library, .name = taken->name, .version = taken->version};
    return found;
  }

  Graded judge() const {
    const Tally& tally = relation_.tally;
    if (relation_.kind == RelationKind::Borrow) return borrow();
    if (containers_differ()) return {Reason::Incompatible, Severity::Warning};
    if (tally.standard == tally.symbols) return {Reason::TypeInformation, Severity::Note};
    if (same_file(installation_, relation_.own, relation_.provider)) return {Reason::SameBuild, Severity::Note};
    if (tally.kind_differs + tally.size_differs > 0 && is_crypto_only()) return {Reason::AbiProof, Severity::Warning};
    if (tally.kind_differs + tally.size_differs > 0 && !is_stable()) return {Reason::AbiProof, Severity::Error};
    if (tally.functions >= enough_functions && !versions_differ() &&
        std::uint64_t{tally.functions_equal} * 100 >= std::uint64_t{tally.functions} * same_build_percent)
      return {Reason::SameBuild, Severity::Note};
    if (strings_differ()) return {Reason::Incompatible, Severity::Error};
    if (cxx_ > 0 && cxx_ <= many_cxx_names && strong_cxx_ == 0 && strong_c_ <= few_c_names)
      return {Reason::InlineCode, Severity::Note};
    if (relation_.library && relation_.provider_library)
      if (const auto known = of_known_libraries()) return *known;
    // Inline functions and templates alone are no library with a version.
    // The same DT_SONAME means that the libraries are compatible. If a name is missing, the import fails (WC210).
    const bool fits = is_stable() || relation_.kind == RelationKind::Displaced;
    if (cxx_ > many_cxx_names && strong_cxx_ > 0 && !fits) return {Reason::UnknownVersion, Severity::Error};
    return {Reason::UnknownVersion, Severity::Warning};
  }

  // std::_Hashtable has contained its first bucket since GCC 5 (bits/hashtable.h, _M_single_bucket): functions of the
  // one work on objects of the other, of another size (onnx 1.6.0 after torch 1.4.0).
  bool containers_differ() const {
    constexpr std::uint64_t changed = 5;
    const auto gcc_of = [&](ObjectIndex object) {
      const ElfFacts* const facts = installation_.world.files[object.value].facts;
      return facts != nullptr ? newest_gcc(facts->sections) : 0;
    };
    const std::uint64_t own = gcc_of(relation_.own), provider = gcc_of(relation_.provider);
    if (own == 0 || provider == 0 || (own < changed) == (provider < changed)) return false;
    return std::ranges::any_of(measured_, [](const SymbolPair& each) {
      return each.symbol->name.starts_with("_ZNSt10_HashtableI") ||
             each.symbol->name.starts_with("_ZNKSt10_HashtableI");
    });
  }

  // A static copy of libcrypto without libssl, in the one file that uses it: for hashes and ciphers, whose functions
  // have one interface in all of its forks. What differs is in the code for certificates and TLS.
  bool is_crypto_only() const {
    if (known_ == nullptr || known_->family != "tls" || relation_.by.size() != 1 ||
        relation_.by.front() != relation_.own || cxx_ > 0)
      return false;
    const ElfFacts* const facts = installation_.world.files[relation_.own.value].facts;
    return std::ranges::none_of(facts->dynamic->exports,
                                [](const Export& symbol) { return symbol.name.starts_with("SSL_"); });
  }

  // A library whose releases fit each other (Compatible::Stable): a table of constants of another size, such as those
  // of Unicode in RE2, does not show that they differ. A vtable or TLS of another size does.
  bool is_stable() const {
    if (known_ == nullptr || known_->compatible != Compatible::Stable) return false;
    return std::ranges::none_of(measured_, [](const SymbolPair& each) {
      return each.kind_differs ||
             (each.size_differs && (each.symbol->name.starts_with("_ZTV") || each.own->kind == SymbolKind::Tls));
    });
  }

  bool versions_differ() const {
    const auto version = [](const std::optional<LibraryInside>& inside) {
      return inside ? inside->version : std::nullopt;
    };
    const auto own = version(relation_.library), provider = version(relation_.provider_library);
    return own && provider && *own != *provider;
  }

  // A symbol without a definition of its own works as long as some file defines it.
  Graded borrow() const {
    const auto asks_weakly = [&](const TakenSymbol& symbol) {
      const DynamicFacts& facts = *installation_.world.files[symbol.from.value].facts->dynamic;
      const auto import = std::ranges::find(facts.imports, symbol.name, &Import::name);
      return import == facts.imports.end() || import->weak;
    };
    const bool weak = std::ranges::all_of(relation_.symbols, asks_weakly);
    // A distribution in Requires-Dist is installed, and the code that uses it imports it first.
    return {Reason::MissingAlone, weak || relation_.required ? Severity::Note : Severity::Warning};
  }

  // With different std::string ABIs, every class that contains a string has a different layout. A library whose names
  // contain no string (Eigen) has no such class. Strings in template arguments (SWIG's swig::traits<std::string>) are
  // no sign of one.
  bool strings_differ() const {
    const ElfAnalysis *const own = analysis_of(installation_, relation_.own), *const provider = analysis_of(
                                                                                  installation_, relation_.provider);
    if (own == nullptr || provider == nullptr || cxx_ == 0) return false;
    const auto is_one = [](StringAbi abi) { return abi == StringAbi::Old || abi == StringAbi::New; };
    if (!is_one(own->cxx.defined) || !is_one(provider->cxx.defined) || own->cxx.defined == provider->cxx.defined)
      return false;
    std::set<std::string_view> scopes;
    for (const SymbolPair& each : measured_)
      if (!each.standard && is_cxx_name(each.symbol->name)) scopes.insert(read_mangled(each.symbol->name).outermost());
    const auto has_strings = [&](const Export& symbol) {
      const auto names_string = [](std::string_view name) {
        const StringNames strings = string_names(name);
        return strings.old_abi || strings.new_abi;
      };
      return names_string(symbol.name) && !names_string(qualified_part(symbol.name)) &&
             scopes.contains(read_mangled(symbol.name).outermost());
    };
    const auto& dynamic = installation_.world.files[relation_.own.value].facts->dynamic;
    return dynamic && std::ranges::any_of(dynamic->exports, has_strings);
  }

  std::optional<Graded> of_known_libraries() const {
    const LibraryInside &own = *relation_.library, &provider = *relation_.provider_library;
    if (known_->family == "tls" && own.id != provider.id)
      return Graded{Reason::Incompatible, is_crypto_only() ? Severity::Warning : Severity::Error};
    if (known_->family == "blas") {
      if (is_ilp64(installation_, relation_.own) != is_ilp64(installation_, relation_.provider))
        return Graded{Reason::Incompatible, Severity::Error};
      if (own.id != provider.id) return Graded{Reason::NewerProvider, Severity::Warning};
    }
    // There is one pool of descriptors, to which each file adds its own when it is loaded, whatever the version.
    if (known_->family == "protobuf") return Graded{Reason::Incompatible, Severity::Error};
    if (own.id != provider.id || !own.version || !provider.version) return std::nullopt;
    return of_versions(*own.version, *provider.version);
  }

  Graded of_versions(std::string_view own, std::string_view provider) const {
    const auto order = natural_order(provider, own);
    const bool unreleased = own.find("git") != own.npos || provider.find("git") != provider.npos;
    const bool cxx = known_->compatible == Compatible::Unsaid && !known_->namespaces.empty();
    if (order == 0 && !unreleased) return {Reason::SameVersion, Severity::Note};
    if (known_->compatible == Compatible::Unsaid && is_used_by_a_part()) return {Reason::Incompatible, Severity::Error};
    if (known_->compatible == Compatible::Exact || (known_->compatible == Compatible::Major && unreleased) ||
        (known_->compatible == Compatible::Major && major_of(own) != major_of(provider)))
      return {Reason::Incompatible, Severity::Error};
    if (order < 0) return {Reason::OlderProvider, cxx || known_->checks_version ? Severity::Error : Severity::Warning};
    return {Reason::NewerProvider, Severity::Warning};
  }

  // Whether another part of the same library, which was built with the replaced one, goes on with the one of the other
  // release: libQt6Gui with the libQt6Core of another Qt. Parts use interfaces that are not public, but bug-fix
  // releases keep them: PySide2 with Qt 5.15.2 works on the Qt 5.15.19 of PyQt5.
  bool is_used_by_a_part() const {
    if (relation_.kind != RelationKind::Displaced) return false;
    return std::ranges::any_of(relation_.by, [&](ObjectIndex by) {
      const ElfAnalysis* const analysis = analysis_of(installation_, by);
      return analysis != nullptr && std::ranges::any_of(analysis->libraries, [&](const IdentifiedLibrary& each) {
               return each.itself && each.library == known_->id;
             });
    });
  }

  Confidence confidence() const {
    if (!relation_.distribution) return Confidence::Low;
    if (relation_.published && relation_.published->reach == Reach::Possible) return Confidence::Low;
    if (relation_.maybe || (relation_.published && relation_.published->reach == Reach::Likely))
      return Confidence::Medium;
    return Confidence::High;
  }

  // Examples that prove the grade come first, then functions, then by name.
  void choose_examples() {
    const auto rank = [](const SymbolPair& each) {
      return each.kind_differs                                               ? 0
             : each.size_differs                                             ? 1
             : each.standard                                                 ? 3
             : each.own != nullptr && each.own->kind == SymbolKind::Function ? 2
                                                                             : 3;
    };
    // Short names are easier to read.
    std::ranges::stable_sort(measured_, {},
                             [&](const SymbolPair& each) { return std::pair(rank(each), each.symbol->name.size()); });
    for (const SymbolPair& each : std::span(measured_).first(std::min(measured_.size(), shown_examples)))
      relation_.examples.push_back(*each.symbol);
  }

  const Installation& installation_;
  const Knowledge& knowledge_;
  Relation& relation_;
  std::vector<SymbolPair> measured_;
  const KnownLibrary* known_ = nullptr;
  std::uint32_t cxx_ = 0;  // C++ names outside of the standard library
  std::uint32_t strong_cxx_ = 0, strong_c_ = 0;
};

}  // namespace

void SeverityJudge::grade(Relation& relation) const { Case(installation_, knowledge_, attribute_, relation); }

}  // namespace wheelcheck::conflicts
