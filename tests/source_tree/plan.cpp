#include "tests/source_tree/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wheelcheck::meta {

// `include/wheelcheck` contains data types and the functions that a user of the library calls. It has no object files:
// the functions are defined in the module that each header names. "system" means headers of Linux.
const std::map<std::string, Module>& plan() {
  static const std::map<std::string, Module> modules = {
      {"include/wheelcheck", {"facts, options and results: plain data; entry points of the library", {}, {}}},
      {"base", {"text, bytes, hashes, threads", {}, {"fmt", "OpenSSL", "system"}}},
      {"model", {"tags, versions, paths, names of symbols: values of the domain", {"base"}, {"fmt"}}},
      {"json", {"strict JSON parser", {"base"}, {"fmt", "nlohmann"}}},
      {"mangling", {"structure of mangled C++ names; demangles them", {"base"}, {"fmt", "LLVM"}}},
      {"archive",
       {"reads ZIP files and directories; never writes",
        {"base", "model"},
        {"fmt", "ISA-L", "libdeflate", "libarchive", "utf8proc", "zlib", "system"}}},
      {"code", {"machine code of x86-64 and AArch64", {}, {"Zydis"}}},
      {"elf", {"facts of an ELF file", {"base", "code", "model", "mangling"}, {"fmt", "LLVM"}}},
      {"policy",
       {"policy files, levels, and which level a wheel meets", {"base", "json", "model"}, {"fmt", "nlohmann"}}},
      {"policy/authoring",
       {"derives, checks and explains policies from system roots",
        {"base", "json", "model", "elf", "policy"},
        {"fmt", "nlohmann", "libarchive"}}},
      {"knowledge", {"tables of data/: libraries, symbols, systems", {"base", "json", "model"}, {"fmt", "nlohmann"}}},
      {"analysis",
       {"what several rules need: ABI, providers, imports",
        {"base", "model", "mangling", "import_plan", "knowledge"},
        {"fmt"}}},
      {"python",
       {"what Python code loads, by evaluating its syntax tree",
        {"base", "model", "python/prefilter"},
        {"fmt", "tree-sitter"}}},
      {"python/prefilter", {"drops Python code that cannot load anything", {"base"}, {"fmt", "tree-sitter"}}},
      {"resolver", {"finds the library of each DT_NEEDED, as ld.so does", {"base", "model"}, {"fmt"}}},
      {"ldso", {"model of a process: link maps, scopes, bindings", {"base", "model", "resolver"}, {"fmt"}}},
      {"facts", {"facts as JSON, written and read", {"base", "model"}, {"fmt"}}},
      {"environment",
       {"interpreter and installed packages around the wheels",
        {"base", "json", "model", "elf", "facts"},
        {"fmt", "nlohmann", "libdeflate", "system"}}},
      {"conflicts",
       {"wheels that break each other in one process",
        {"base", "model", "mangling"},
        {"fmt"},
        {},
        {"analysis", "environment", "ldso"}}},
      {"import_plan", {"what an import loads, in which order", {"base", "model"}, {"fmt"}}},
      {"diff", {"differences of two releases", {"base", "model", "mangling"}, {"fmt"}}},
      {"remediation", {"smallest change that makes a wheel meet a level", {"base", "model"}, {"fmt"}}},
      {"simulate", {"the effect of a change of policies", {"base", "model"}, {"fmt"}}},
      {"rules",
       {"one file a rule: facts to findings", {"base", "model", "mangling", "import_plan"}, {"fmt"}, {}, {"resolver"}}},
      {"config", {"configuration files", {"base", "model"}, {"fmt", "toml++"}}},
      {"verdict", {"compatible or not with each tag and system", {"base", "model"}, {"fmt"}}},
      {"report",
       {"reports as text, JSON, HTML and others; decides nothing",
        {"base", "json", "model", "mangling", "facts"},
        {"fmt", "nlohmann"},
        {"rules/page.h"}}},
      {"wheel",
       {"facts of a whole wheel",
        {"base", "json", "model", "mangling", "archive", "elf", "import_plan", "python", "python/prefilter"},
        {"fmt", "nlohmann"}}},
      {"rewrite",
       {"writes wheels: ZIP, RECORD, tags; runs patchelf on files in memory",
        {"base", "model", "archive", "wheel"},
        {"fmt", "libdeflate", "system"}}},
      {"repair",
       {"what fix and repair change, and which libraries a wheel lacks",
        {"base", "json", "model", "elf", "policy", "rewrite"},
        {"fmt", "nlohmann", "system"}}},
      {"cache", {"facts of earlier runs on disk", {"base", "model", "facts"}, {"fmt", "libdeflate", "system"}}},
      {"sandbox", {"takes rights from the process; part of the program only", {}, {"fmt", "libseccomp", "system"}}},
      {"app",
       {"the pipelines: wheels to reports",
        {"base",        "json",     "model",     "mangling",         "archive",     "elf",     "python",
         "knowledge",   "analysis", "policy",    "policy/authoring", "resolver",    "ldso",    "facts",
         "environment", "rules",    "verdict",   "report",           "wheel",       "config",  "cache",
         "diff",        "simulate", "conflicts", "import_plan",      "remediation", "rewrite", "repair"},
        {"fmt", "nlohmann"}}},
      {"cli",
       {"the command line: options, output, exit codes",
        {"base", "model", "mangling", "config", "report", "sandbox", "app"},
        {"fmt", "CLI11", "RE2", "system"},
        {"mangling/demangle.h", "rules/engine.h", "rules/page.h"},
        {"analysis", "knowledge", "policy", "policy/authoring", "remediation", "resolver", "verdict", "wheel"}}},
  };
  return modules;
}

const std::map<std::string, std::string>& third_party_of_folder() {
  static const std::map<std::string, std::string> distributions = {
      {"fmt", "fmt"},
      {"openssl", "OpenSSL"},
      {"isa-l", "ISA-L"},
      {"isa-l.h", "ISA-L"},
      {"llvm", "LLVM"},
      {"llvm-c", "LLVM"},
      {"Zydis", "Zydis"},
      {"nlohmann", "nlohmann"},
      {"CLI", "CLI11"},
      {"toml++", "toml++"},
      {"re2", "RE2"},
      {"libdeflate.h", "libdeflate"},
      {"archive.h", "libarchive"},
      {"archive_entry.h", "libarchive"},
      {"zlib.h", "zlib"},
      {"tree_sitter", "tree-sitter"},
      {"seccomp.h", "libseccomp"},
      {"utf8proc.h", "utf8proc"},
  };
  return distributions;
}

std::string module_of(std::string_view file) {
  const std::string_view path = file.starts_with("src/") ? file.substr(4) : file;
  std::string found;
  for (const auto& [name, module] : plan()) {
    const bool inside = path.starts_with(name) && path.substr(name.size()).starts_with('/');
    if (inside && name.size() > found.size()) found = name;
  }
  return found;
}

Names may_link(const std::string& module) {
  const Module& entry = plan().at(module);
  Names names = entry.modules;
  names.insert(entry.linked.begin(), entry.linked.end());
  for (const std::string& header : entry.headers) names.insert(module_of(header));
  return names;
}

std::map<std::size_t, Names> layers() {
  std::map<std::string, std::size_t> layer_of = {{"include/wheelcheck", 0}};
  for (std::size_t layer = 1; layer_of.size() < plan().size(); ++layer) {
    Names here;
    for (const auto& [name, module] : plan()) {
      const Names below = may_link(name);
      if (!layer_of.contains(name) &&
          std::ranges::all_of(below, [&](const std::string& other) { return layer_of.contains(other); }))
        here.insert(name);
    }
    if (here.empty()) {
      ADD_FAILURE() << "the plan has a cycle";
      break;
    }
    for (const std::string& name : here) layer_of[name] = layer;
  }
  std::map<std::size_t, Names> result;
  for (const auto& [name, layer] : layer_of) result[layer].insert(name);
  return result;
}

const Names& from_outside() {
  static const Names names = {"wheel file", "policies/", "data/", "interpreter and system"};
  return names;
}

const std::vector<Step>& data_flow() {
  static const std::vector<Step> steps = {
      {{"wheel file"}, "archive", "members"},
      {{"members"}, "elf", "ElfFacts"},
      {{"members"}, "python", "PythonFile"},
      {{"members", "ElfFacts", "PythonFile"}, "wheel", "WheelFacts"},
      {{"WheelFacts"}, "resolver", "Resolution"},
      {{"WheelFacts", "Resolution", "policies/"}, "policy", "Assessment"},
      {{"WheelFacts", "Assessment"}, "verdict", "Verdict"},
      {{"data/"}, "knowledge", "Knowledge"},
      {{"WheelFacts", "Resolution", "Knowledge"}, "analysis", "Analysis"},
      {{"WheelFacts", "Resolution", "Assessment", "Verdict", "Analysis", "Knowledge"}, "app", "WheelView"},
      {{"WheelView"}, "rules", "Finding"},
      {{"WheelView", "Finding"}, "app", "WheelReport"},
      {{"WheelReport"}, "report", "text, JSON, HTML, SARIF"},
      {{"WheelReport"}, "diff", "Diff"},
      {{"Assessment"}, "remediation", "RemediationPath"},
      {{"Assessment"}, "simulate", "Simulation"},
      {{"WheelReport"}, "repair", "changes"},
      {{"members", "changes"}, "rewrite", "another wheel file"},
      {{"interpreter and system"}, "environment", "World"},
      {{"WheelFacts", "PythonFile"}, "import_plan", "LoadPlan"},
      {{"WheelFacts", "LoadPlan"}, "conflicts", "Plan"},
      {{"World", "Plan"}, "ldso", "Outcome"},
      {{"WheelFacts", "Outcome"}, "conflicts", "Conflicts"},
  };
  return steps;
}

}  // namespace wheelcheck::meta
