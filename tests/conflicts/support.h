// Two wheels in one process, written in C++, and the conflicts between them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conflicts/find.h"
#include "tests/support/facts.h"

namespace wheelcheck::test {

// The installation of wheels in one site-packages, with an empty interpreter, and load plans that import every
// extension module, in both orders. `global`: paths that are opened with RTLD_GLOBAL.
class Together {
 public:
  explicit Together(std::vector<WheelBuilder> wheels) {
    for (const WheelBuilder& builder : wheels) {
      Distribution distribution{.facts = builder.build(), .resolution = {}, .analysis = {}};
      for (MemberFacts& member : distribution.facts.members)  // all files are different
        member.sha256 = builder.build().file + '/' + member.path.text();
      distribution.resolution = resolve_by_name(distribution.facts);
      distribution.analysis.elfs.resize(distribution.facts.elfs.size());
      in_.distributions.push_back(std::move(distribution));
    }
    for (std::uint32_t p = 0; p < in_.distributions.size(); ++p) place(p);
    in_.main = add({.path = "/bin/python3", .facts = &python_}, {.kind = Origin::Kind::Interpreter}, "<main>");
  }

  // A library of the system with that soname.
  Together& platform(const ElfMember& library) {
    const std::string name(*library.facts.dynamic->soname);
    in_.world.platform.directories = {"/lib"};
    add({.path = "/lib/" + name, .facts = &library.facts}, {.kind = Origin::Kind::Platform}, name);
    return *this;
  }
  Together& global(const std::string& path) {
    global_.push_back(path);
    return *this;
  }
  Together& deepbind(const std::string& path) {
    deepbind_.push_back(path);
    return *this;
  }
  // The walk through the imports of the first order ended at this limit.
  Together& cut(const std::string& text) {
    cut_ = text;
    return *this;
  }
  // An open that is only possible (PlannedOpen::maybe).
  Together& maybe(const std::string& path) {
    maybe_.push_back(path);
    return *this;
  }
  // An uncertain import that comes after those of all distributions.
  Together& last(const std::string& path) {
    last_.insert(path);
    return maybe(path);
  }
  // What machine code opens.
  Together& in_code(const std::string& path) {
    in_code_.insert(path);
    return *this;
  }
  // A project that is installed, and no part of the run.
  Together& given(const std::string& name) {
    in_.projects.emplace(name, name);
    return *this;
  }
  // The distributions are all that an environment has.
  Together& environment() {
    in_.is_environment = true;
    return *this;
  }
  // A library that Python code names, or that it may open with ctypes.
  Together& opened(const std::string& path, process::OpenBy by) {
    opened_.emplace(path, by);
    return maybe(path);
  }
  // A library that Python code opens with ctypes in a `try`.
  Together& tried(const std::string& path) {
    opened_.emplace(path, process::OpenBy::Ctypes);
    tried_.insert(path);
    return *this;
  }
  // A library that Python code opens with ctypes by its base name.
  Together& searched(const std::string& path) {
    opened_.emplace(path, process::OpenBy::Ctypes);
    searched_.insert(path);
    return *this;
  }
  Together& library(const std::string& path, IdentifiedLibrary library) {
    for (std::uint32_t p = 0; p < in_.distributions.size(); ++p)
      for (std::uint32_t e = 0; e < in_.distributions[p].facts.elfs.size(); ++e)
        if (path_of(p, e) == path) in_.distributions[p].analysis.elfs[e].libraries.push_back(library);
    return *this;
  }
  Together& analysis(const std::string& path, const std::function<void(ElfAnalysis&)>& change) {
    for (std::uint32_t p = 0; p < in_.distributions.size(); ++p)
      for (std::uint32_t e = 0; e < in_.distributions[p].facts.elfs.size(); ++e)
        if (path_of(p, e) == path) change(in_.distributions[p].analysis.elfs[e]);
    return *this;
  }

  Conflicts find(const Knowledge& knowledge = {}, const conflicts::FirstImports& first_imports = {}) {
    std::vector<LoadPlan> load_plans{load_plan(false)};
    load_plans.front().cut = cut_;
    if (in_.distributions.size() > 1) load_plans.push_back(load_plan(true));
    return conflicts::find_conflicts(
        std::move(in_), std::move(load_plans), knowledge, [](std::string_view name) { return std::string(name); },
        first_imports);
  }

 private:
  std::string path_of(std::uint32_t p, std::uint32_t e) const {
    const WheelFacts& wheel = in_.distributions[p].facts;
    return wheel.members[wheel.elfs[e].member.value].path.text();
  }
  process::ObjectIndex add(process::File file, Origin origin, std::string name) {
    in_.world.files.push_back(std::move(file));
    in_.origins.push_back(std::move(origin));
    in_.names.push_back(std::move(name));
    return {static_cast<std::uint32_t>(in_.world.files.size() - 1)};
  }
  void place(std::uint32_t p) {
    in_.objects.emplace_back();
    for (std::uint32_t e = 0; e < in_.distributions[p].facts.elfs.size(); ++e) {
      const std::string path = path_of(p, e);
      in_.objects.back().emplace_back(add({.path = "/site/" + path, .facts = &in_.distributions[p].facts.elfs[e].facts},
                                          {.kind = Origin::Kind::Distribution, .distribution = {p}, .elf = {e}}, path));
    }
  }
  LoadPlan load_plan(bool reversed) const {
    LoadPlan out;
    out.plan.main = in_.main;
    for (std::uint32_t i = 0; i < in_.distributions.size(); ++i) {
      const std::uint32_t p = reversed ? static_cast<std::uint32_t>(in_.distributions.size()) - 1 - i : i;
      out.order.push_back({p});
      out.plan.steps.emplace_back();
      out.opens.emplace_back();
      for (std::uint32_t e = 0; e < in_.distributions[p].facts.elfs.size(); ++e)
        if (!last_.contains(path_of(p, e))) open(out, p, e);
    }
    for (std::uint32_t p = 0; p < in_.distributions.size() && !last_.empty(); ++p)
      for (std::uint32_t e = 0; e < in_.distributions[p].facts.elfs.size(); ++e)
        if (last_.contains(path_of(p, e))) open(out, p, e);
    return out;
  }
  void open(LoadPlan& out, std::uint32_t p, std::uint32_t e) const {
    const ElfMember& elf = in_.distributions[p].facts.elfs[e];
    const auto* const module = std::get_if<ExtensionModule>(&elf.role);
    const std::string path = path_of(p, e);
    const auto library = opened_.find(path);
    if (module == nullptr && library == opened_.end()) return;
    const bool is_global = std::ranges::find(global_, path) != global_.end();
    out.plan.steps.back().opens.push_back(
        {.name = searched_.contains(path) ? path.substr(path.rfind('/') + 1) : "/site/" + path,
         .flags = {.global = is_global, .deepbind = std::ranges::find(deepbind_, path) != deepbind_.end()},
         .by = module != nullptr ? process::OpenBy::Import : library->second});
    PlannedOpen planned{.object = in_.objects[p][e],
                        .distribution = DistributionIndex{p},
                        .module = module != nullptr ? module->module : ""};
    if (is_global) planned.flags = FlagSource{.distribution = {p}, .line = 3, .text = "sys.setdlopenflags(258)"};
    planned.maybe = std::ranges::find(maybe_, path) != maybe_.end();
    planned.tried = tried_.contains(path);
    planned.in_code = in_code_.contains(path);
    out.opens.back().push_back(std::move(planned));
  }

  static ElfFacts make_python() {
    ElfFacts facts;
    facts.arch = Arch::x86_64;
    facts.bits = 64;
    facts.kind = ElfKind::Executable;
    facts.dynamic.emplace();
    return facts;
  }
  Installation in_;
  ElfFacts python_ = make_python();
  std::vector<std::string> global_, maybe_, deepbind_;
  std::string cut_;
  std::set<std::string> last_, searched_, tried_, in_code_;
  std::map<std::string, process::OpenBy> opened_;
};

}  // namespace wheelcheck::test
