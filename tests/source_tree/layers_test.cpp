// Tests which module includes which, and where each third-party library is used, with plan.cpp and
// docs/architecture.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/source_tree/plan.h"
#include "tests/source_tree/tree.h"

namespace wheelcheck::meta {
namespace {

// Headers that make a result depend on more than the wheel, or its time on more than the size, and the modules that may
// include them.
const std::map<std::string, Names> restricted_headers = {
    {"chrono", {"cli", "rewrite"}},  // rewrite: the calendar, for SOURCE_DATE_EPOCH
    {"ctime", {"cache"}},            // files that changed just now are hashed by the next run again
    {"random", {}},
    {"locale", {}},
    {"clocale", {}},
    {"cctype", {}},
    {"iostream", {"cli"}},
    {"regex", {}},
    {"fstream", {"environment", "policy/authoring", "cli"}},
    {"base/text_file.h", {"base", "policy", "policy/authoring", "knowledge", "environment", "config", "repair", "app"}},
    {"filesystem", {"policy", "policy/authoring", "environment", "config", "cache", "app", "rewrite", "repair", "cli"}},
    {"thread", {"base", "cli"}},
    // Texts of a wheel could be chosen to collide in a hash table. What these modules keep in one are numbers, nodes
    // and known names.
    {"unordered_map", {"ldso", "policy", "resolver", "mangling"}},
    {"unordered_set", {"policy"}},
    {"future", {"base"}},
    {"mutex", {"base", "cli", "archive", "wheel", "rewrite"}},
    {"csignal", {"cli"}},
};

struct Include {
  std::string module, what, where;  // including module; "base/text.h" or "vector"; file:line
  bool own = false;                 // a header of this project
};

std::string folder_of(const std::string& header) { return header.substr(0, header.find('/')); }

std::vector<Include> all_includes() {
  std::vector<Include> found;
  for (const char* const top : {"src", "include"}) {
    for (const std::string& file : files_of(top)) {
      const std::vector<std::string> lines = lines_of(file);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (!line.starts_with("#include ")) continue;
        const std::size_t from = line.find_first_of("\"<");
        const std::size_t to = line.find_last_of("\">");
        if (from == std::string::npos || to <= from) continue;
        const std::string what = line.substr(from + 1, to - from - 1);
        found.push_back({.module = module_of(file),
                         .what = what,
                         .where = file + ":" + std::to_string(i + 1),
                         .own = line[from] == '"' && !third_party_of_folder().contains(folder_of(what))});
      }
    }
  }
  return found;
}

std::optional<std::string> third_party_of(const std::string& header) {
  const auto it = third_party_of_folder().find(folder_of(header));
  if (it != third_party_of_folder().end()) return it->second;
  // Standard headers have neither a folder nor an extension.
  if (header.find_first_of("/.") != std::string::npos) return "system";
  return std::nullopt;
}

TEST(Layers, EveryFolderOfSrcIsInThePlan) {
  for (const std::string& file : files_of("src")) EXPECT_FALSE(module_of(file).empty()) << file;
}

TEST(Layers, AModuleIncludesOnlyTheModulesThatItMayUse) {
  std::size_t seen = 0;
  for (const Include& include : all_includes()) {
    if (!include.own || include.module.empty()) continue;
    const bool is_public = include.what.starts_with("wheelcheck/");
    const std::string target = module_of(include.what);
    const Module& module = plan().at(include.module);
    EXPECT_TRUE(is_public || target == include.module || module.modules.contains(target) ||
                module.headers.contains(include.what))
        << include.where << " includes " << include.what;
    ++seen;
  }
  EXPECT_GT(seen, 50U) << "the includes were not found";
}

TEST(Layers, AThirdPartyIsIncludedOnlyWhereThePlanNamesIt) {
  Names seen;
  for (const Include& include : all_includes()) {
    if (include.own || include.module.empty()) continue;
    const std::optional<std::string> distribution = third_party_of(include.what);
    if (!distribution) continue;
    EXPECT_TRUE(plan().at(include.module).third_parties.contains(*distribution))
        << include.where << " includes " << include.what << " of " << *distribution;
    seen.insert(*distribution);
  }
  EXPECT_TRUE(seen.contains("LLVM")) << "the includes were not found";
}

TEST(Layers, ClockLocaleFilesAndHashTablesAreRestricted) {
  for (const Include& include : all_includes()) {
    const auto it = restricted_headers.find(include.what);
    if (it == restricted_headers.end()) continue;
    EXPECT_TRUE(it->second.contains(include.module)) << include.where << " includes " << include.what;
  }
}

TEST(Layers, OnlyTheCommandLineReadsTheEnvironment) {
  for (const std::string& file : files_of("src")) {
    if (module_of(file) == "cli") continue;
    const std::string text = text_of(file);
    for (const char* const call : {"std::getenv", " getenv(", "secure_getenv(", " environ;"})
      EXPECT_EQ(text.find(call), std::string::npos) << file;
  }
}

// The cache must not use facts that a different version of the readers wrote.
TEST(Layers, TheFingerprintOfTheReadersCoversWhatFactsComeFrom) {
  Names covered;
  for (const std::string& line : lines_of("cmake/Embed.cmake"))
    if (const std::size_t at = line.find("foreach(module "); at != std::string::npos) {
      std::istringstream words(line.substr(at + 15, line.find(')', at) - at - 15));
      for (std::string word; words >> word;) covered.insert(word);
    }
  Names wanted = plan().at("wheel").modules;
  for (const char* const reader : {"facts", "elf"}) wanted.merge(Names(plan().at(reader).modules));
  wanted.insert({"wheel", "facts"});
  // The files of a folder are taken with those of its folders.
  std::erase_if(wanted, [&](const std::string& name) {
    return name.contains('/') && covered.contains(name.substr(0, name.find('/')));
  });
  EXPECT_EQ(covered, wanted);
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The picture of the layers and the table of the modules in docs/architecture.md.
std::vector<std::string> layers_page() {
  std::vector<std::string> lines = {"```"};
  const std::map<std::size_t, Names> all = layers();
  for (auto it = all.rbegin(); it != all.rend(); ++it)
    lines.push_back("layer " + std::to_string(it->first) + " | " + joined(it->second));
  lines.insert(lines.end(), {"```", "", "| module | what it does | uses | third party |", "|---|---|---|---|"});
  for (const auto& [layer, names] : all) {
    for (const std::string& name : names) {
      const Module& module = plan().at(name);
      Names uses = module.modules;
      uses.insert(module.headers.begin(), module.headers.end());
      std::string use = joined(uses);
      if (!module.linked.empty()) use += "; by its public functions: " + joined(module.linked);
      lines.push_back("| `" + name + "` | " + module.purpose + " | " + use + " | " + joined(module.third_parties) +
                      " |");
    }
  }
  return lines;
}

// The picture of the data flow in docs/architecture.md.
std::vector<std::string> flow_page() {
  std::size_t width = 0, arrow = 0;
  std::vector<std::string> left;
  for (const Step& step : data_flow()) {
    std::string text;
    for (const std::string& name : step.from) text += (text.empty() ? "" : ", ") + name;
    left.push_back(text);
    width = std::max(width, text.size());
    arrow = std::max(arrow, step.module.size());
  }
  std::vector<std::string> lines = {"```"};
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Step& step = data_flow()[i];
    lines.push_back(left[i] + std::string(width - left[i].size(), ' ') + "  --" + step.module +
                    std::string(arrow - step.module.size(), '-') + "-->  " + step.to);
  }
  lines.emplace_back("```");
  return lines;
}

// Compares the part of docs/architecture.md after the mark `begin` with `real`. WHEELCHECK_UPDATE=1 writes it.
void expect_part(const std::string& begin, const std::vector<std::string>& real) {
  const std::string file = "docs/architecture.md";
  std::vector<std::string> page = lines_of(file);
  const auto from = std::ranges::find(page, begin);
  const auto to = std::find(from, page.end(), "<!-- end -->");
  ASSERT_NE(to, page.end()) << file << " lacks " << begin;
  const std::vector<std::string> shown(from + 1, to);
  if (shown == real) return;
  if (std::getenv("WHEELCHECK_UPDATE") == nullptr) {
    EXPECT_EQ(shown, real);
    return;
  }
  const auto at = page.erase(from + 1, to);
  page.insert(at, real.begin(), real.end());
  std::ofstream out(root() / file);
  for (const std::string& line : page) out << line << '\n';
}

TEST(Layers, TheArchitecturePageShowsThisPlan) {
  expect_part("<!-- layers: written by test_meta -->", layers_page());
  expect_part("<!-- data flow: written by test_meta -->", flow_page());
}

// Each step takes what an earlier one gives. Its types are declared in include/wheelcheck, and the code of the module
// names them; `app` passes on what it does not name.
TEST(Layers, TheDataFlowIsThatOfTheCode) {
  const auto is_named = [](const std::string& folder, const std::string& words) {
    return std::ranges::any_of(files_of(folder),
                               [&](const std::string& file) { return has_word(text_of(file), words); });
  };
  Names known = from_outside();
  for (const Step& step : data_flow()) {
    for (const std::string& name : step.from) EXPECT_TRUE(known.contains(name)) << step.module << " takes " << name;
    known.insert(step.to);
    Names types = step.module == "app" ? Names{} : Names(step.from.begin(), step.from.end());
    types.insert(step.to);
    for (const std::string& type : types) {
      if (type[0] < 'A' || type[0] > 'Z') continue;
      EXPECT_TRUE(is_named("include/wheelcheck", "struct " + type)) << type;
      EXPECT_TRUE(is_named("src/" + step.module, type)) << step.module << " does not name " << type;
    }
  }
}

}  // namespace
}  // namespace wheelcheck::meta
