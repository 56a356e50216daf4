// The C++ ABI of one file: which std::string its symbols name, which runtime it uses, who compiled it.
#include <algorithm>
#include <array>

#include "analysis/compilers.h"
#include "analysis/cxx_runtime.h"
#include "analysis/internal.h"
#include "mangling/cxx_name.h"

namespace wheelcheck::analysis {
namespace {

constexpr std::size_t most_examples = 5;
// Parts of libstdc++ that handle both strings import a few functions of the old one.
constexpr std::uint32_t imports_of_parts = 10;

StringAbi string_abi(std::uint32_t old_abi, std::uint32_t new_abi) {
  if (old_abi == 0) return new_abi == 0 ? StringAbi::None : StringAbi::New;
  return new_abi == 0 ? StringAbi::Old : StringAbi::Both;
}

struct Examples {
  std::vector<std::string_view> own, imported;
  void add(std::vector<std::string_view>& list, std::string_view name) {
    if (list.size() < most_examples) list.push_back(name);
  }
  std::vector<std::string_view> all() const {
    std::vector<std::string_view> result = own;
    for (const std::string_view name : imported)
      if (result.size() < most_examples) result.push_back(name);
    return result;
  }
};

bool names_cxx11(std::string_view name) {
  constexpr std::array<std::string_view, 6> types = {"St10unique_ptr",    "St10shared_ptr", "St16initializer_list",
                                                     "St13unordered_map", "St8functionI",   "NSt6thread"};
  return std::ranges::any_of(types, [&](std::string_view type) { return name.find(type) != name.npos; });
}
bool has_early_cxx11(const DynamicFacts& dynamic, const std::vector<Compiler>& compilers) {
  if (!only_gcc_before_5(compilers)) return false;
  return std::ranges::any_of(dynamic.exports,
                             [](const Export& e) { return is_cxx_name(e.name) && names_cxx11(e.name); }) ||
         std::ranges::any_of(dynamic.imports,
                             [](const Import& i) { return is_cxx_name(i.name) && names_cxx11(i.name); });
}

StringAbi imported_abi(const CxxAbi& abi, bool keeps_old_strings) {
  const bool any_new = abi.imported_new + abi.defined_new > 0;
  const bool of_parts = abi.runtime == CxxRuntime::Hybrid && abi.own_old == 0 && abi.imported_old < imports_of_parts &&
                        (any_new || keeps_old_strings);
  return string_abi(of_parts ? 0 : abi.imported_old, abi.imported_new);
}

}  // namespace

struct CxxAbiReader::State {
  CxxAbi abi;
  RuntimeSeen runtime;
  Examples old_abi, new_abi;
};

CxxAbiReader::CxxAbiReader() : state_(std::make_unique<State>()) {}
CxxAbiReader::~CxxAbiReader() = default;

void CxxAbiReader::add(const Export& symbol) {
  CxxAbi& abi = state_->abi;
  if (!state_->runtime.exported(symbol)) return;
  const StringNames names = string_names(symbol.name);
  if (!names.old_abi && !names.new_abi) return;
  const bool own = cxx_scope(symbol.name) == CxxScope::User;
  abi.defined_old += names.old_abi;
  abi.defined_new += names.new_abi;
  if (!own) return;
  abi.own_old += names.old_abi;
  abi.own_new += names.new_abi;
  if (names.old_abi) state_->old_abi.add(state_->old_abi.own, symbol.name);
  if (names.new_abi) state_->new_abi.add(state_->new_abi.own, symbol.name);
}

void CxxAbiReader::add(const Import& symbol) {
  CxxAbi& abi = state_->abi;
  if (!state_->runtime.import(symbol.name)) return;
  const StringNames names = string_names(symbol.name);
  abi.imported_old += names.old_abi;
  abi.imported_new += names.new_abi;
  if (names.old_abi) state_->old_abi.add(state_->old_abi.imported, symbol.name);
  if (names.new_abi) state_->new_abi.add(state_->new_abi.imported, symbol.name);
}

CxxAbi CxxAbiReader::abi_of(const ElfMember& file) const {
  CxxAbi abi = state_->abi;
  abi.compilers = compilers(file.facts.sections.comments);
  if (!file.facts.dynamic) return abi;
  const DynamicFacts& dynamic = *file.facts.dynamic;
  abi.runtime_code = state_->runtime.runtime_code();
  abi.runtime = state_->runtime.decide(dynamic, abi.runtime_evidence);
  abi.defined = string_abi(abi.own_old, abi.own_new);
  abi.imported = imported_abi(abi, state_->runtime.keeps_old_strings());
  abi.examples_old = state_->old_abi.all();
  abi.examples_new = state_->new_abi.all();
  abi.early_cxx11 = has_early_cxx11(dynamic, abi.compilers);
  return abi;
}

}  // namespace wheelcheck::analysis
