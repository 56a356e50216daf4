// Tests which module links which, from the object files of the build. An #include shows only a part of this: a header
// of include/wheelcheck declares functions that any module could call, and only the linker knows where each is defined.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/source_tree/plan.h"

namespace wheelcheck::meta {
namespace {

namespace fs = std::filesystem;

// The modules whose code an object file may contain. It is one, except in a unity build, where a target's folders are
// compiled together.
Names modules_of_object(const std::string& target, const std::string& object) {
  if (const std::size_t at = object.find("/src/"); at != object.npos) {
    if (const std::string module = module_of(object.substr(at + 1)); !module.empty()) return {module};
  }
  std::string name = target.starts_with("wc_") ? target.substr(3) : target;
  if (name == "wheelcheck") name = "app";
  if (name == "wheelcheck-program") name = "cli";
  Names names;
  for (const auto& [module, entry] : plan())
    if (module == name || module.starts_with(name + "/")) names.insert(module);
  return names;
}

struct Symbols {
  std::map<std::string, Names> defined_in;                      // symbol: modules
  std::map<Names, std::map<std::string, std::string>> used_by;  // modules of an object: symbol: object
};

// Adds what `nm --format=posix` prints about one object. Only strong definitions count: inline functions and templates
// are emitted wherever they are used.
void add_symbols(Symbols& symbols, const Names& modules, const std::string& object, std::istream& nm) {
  for (std::string line; std::getline(nm, line);) {
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    if (name.find("10wheelcheck") == name.npos) continue;
    if (type == "T" || type == "D" || type == "R" || type == "B")
      symbols.defined_in[name].insert(modules.begin(), modules.end());
    if (type == "U") symbols.used_by[modules].try_emplace(name, object);
  }
}

std::vector<std::string> forbidden_links(const Symbols& symbols) {
  std::vector<std::string> found;
  for (const auto& [modules, used] : symbols.used_by) {
    Names allowed = modules;
    for (const std::string& module : modules) allowed.merge(may_link(module));
    for (const auto& [symbol, object] : used) {
      const auto definition = symbols.defined_in.find(symbol);
      if (definition == symbols.defined_in.end()) continue;
      const bool fine = std::ranges::any_of(definition->second, [&](auto& module) { return allowed.contains(module); });
      if (!fine) found.push_back(object + " uses " + symbol + " of " + *definition->second.begin());
    }
  }
  return found;
}

Symbols symbols_of_build() {
  Symbols symbols;
  for (const fs::directory_entry& folder : fs::directory_iterator(fs::path(WHEELCHECK_BINARY_DIR) / "CMakeFiles")) {
    const std::string target = folder.path().stem().string();
    const bool ours = target.starts_with("wc_") || target == "wheelcheck" || target == "wheelcheck-program";
    if (!ours || folder.path().extension() != ".dir") continue;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
      if (file.path().extension() != ".o") continue;
      const std::string object = file.path().lexically_relative(WHEELCHECK_BINARY_DIR).string();
      const std::string command = std::string(WHEELCHECK_NM) + " --format=posix '" + file.path().string() + "' 2>&1";
      const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
      std::string text;
      char buffer[65536];
      while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
      std::istringstream nm(text);
      add_symbols(symbols, modules_of_object(target, object), object, nm);
    }
  }
  return symbols;
}

TEST(Links, AModuleLinksOnlyTheModulesThatItMayUse) {
  const Symbols symbols = symbols_of_build();
  for (const std::string& link : forbidden_links(symbols)) ADD_FAILURE() << link;
  EXPECT_GT(symbols.defined_in.size(), 500U) << "the object files were not found";
}

TEST(Links, AnUpwardLinkIsFound) {
  Symbols symbols;
  std::istringstream app("_ZN10wheelcheck5checkEv T 0 1\n"), rules("_ZN10wheelcheck5checkEv U\n_ZN3fmt5printEv U\n");
  add_symbols(symbols, {"app"}, "check.o", app);
  add_symbols(symbols, {"rules"}, "rule.o", rules);
  EXPECT_EQ(forbidden_links(symbols), std::vector<std::string>{"rule.o uses _ZN10wheelcheck5checkEv of app"});
  std::istringstream cli("_ZN10wheelcheck5checkEv U\n");
  Symbols downward;
  downward.defined_in = symbols.defined_in;
  add_symbols(downward, {"cli"}, "main.o", cli);
  EXPECT_TRUE(forbidden_links(downward).empty());
}

TEST(Links, ObjectsBelongToTheirFolders) {
  EXPECT_EQ(modules_of_object("wc_policy", "wc_policy.dir/src/policy/authoring/derive.cpp.o"),
            Names{"policy/authoring"});
  EXPECT_EQ(modules_of_object("wc_policy", "wc_policy.dir/Unity/unity_0_cxx.cxx.o"),
            (Names{"policy", "policy/authoring"}));
  EXPECT_EQ(modules_of_object("wheelcheck", "wheelcheck.dir/src/app/check.cpp.o"), Names{"app"});
}

}  // namespace
}  // namespace wheelcheck::meta
