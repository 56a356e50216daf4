// Holds docs/architecture.md: which room may include which, and where each third party may be seen.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/source_tree/tree.h"

namespace wheelcheck::meta {
namespace {

using Names = std::set<std::string>;

// The plan. `wheelcheck` is the vocabulary in include/wheelcheck. "system" is what the operating system adds to std.
struct Module {
  Names modules;
  Names third_parties;
  Names doors = {};  // single headers of rooms that it may not know otherwise
};
const std::map<std::string, Module> plan = {
    {"wheelcheck", {{}, {}}},
    {"base", {{"wheelcheck"}, {"fmt", "OpenSSL", "system"}}},
    {"model", {{"wheelcheck", "base"}, {"fmt"}}},
    {"mangling", {{"wheelcheck", "base"}, {"fmt"}}},
    {"archive", {{"wheelcheck", "base"}, {"fmt", "ISA-L", "libdeflate", "libarchive", "zlib", "system"}}},
    {"elf", {{"wheelcheck", "base", "model", "mangling"}, {"fmt", "LLVM"}}},
    {"policy", {{"wheelcheck", "base", "model"}, {"fmt", "nlohmann"}}},
    {"policy/authoring", {{"wheelcheck", "base", "model", "elf", "policy"}, {"fmt", "nlohmann", "libarchive"}}},
    {"knowledge", {{"wheelcheck", "base", "model"}, {"fmt", "nlohmann"}}},
    {"analysis", {{"wheelcheck", "base", "model", "mangling", "import_plan", "knowledge"}, {"fmt"}}},
    {"python", {{"wheelcheck", "base", "model", "python/prefilter"}, {"fmt", "tree-sitter"}}},
    {"python/prefilter", {{"wheelcheck", "base", "python"}, {"fmt", "tree-sitter"}}},
    {"resolver", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"ldso", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"facts", {{"wheelcheck", "base", "model"}, {"fmt", "nlohmann"}}},
    {"environment", {{"wheelcheck", "base", "model", "elf", "facts"}, {"fmt", "nlohmann", "libdeflate", "system"}}},
    {"conflicts", {{"wheelcheck", "base", "model", "mangling"}, {"fmt"}}},
    {"import_plan", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"diff", {{"wheelcheck", "base", "model", "mangling"}, {"fmt"}}},
    {"remediation", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"simulate", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"rules", {{"wheelcheck", "base", "model", "mangling"}, {"fmt"}}},
    {"config", {{"wheelcheck", "base", "model"}, {"fmt", "toml++"}}},
    {"verdict", {{"wheelcheck", "base", "model"}, {"fmt"}}},
    {"report", {{"wheelcheck", "base", "model", "mangling"}, {"fmt", "nlohmann"}, {"rules/page.h"}}},
    {"wheel", {{"wheelcheck", "base", "model", "mangling", "archive", "elf", "python"}, {"fmt"}}},
    {"cache", {{"wheelcheck", "base", "model", "facts"}, {"fmt", "libdeflate", "system"}}},
    {"sandbox", {{"wheelcheck"}, {"fmt", "libseccomp", "system"}}},
    {"app",
     {{"wheelcheck", "base",  "model",   "archive",     "elf",    "python",  "knowledge", "analysis",  "policy",
       "resolver",   "ldso",  "facts",   "environment", "rules",  "verdict", "report",    "wheel",     "config",
       "cache",      "diff",  "simulate", "conflicts",  "import_plan"},
      {"fmt"}}},
    {"cli",
     {{"wheelcheck", "base", "model", "config", "report", "sandbox"},
      {"fmt", "CLI11", "RE2", "system"},
      {"elf/demangle.h", "rules/engine.h", "rules/page.h"}}},
};
const std::map<std::string, std::string> third_party_of_folder = {
    {"fmt", "fmt"},
    {"openssl", "OpenSSL"},
    {"isa-l", "ISA-L"},
    {"isa-l.h", "ISA-L"},
    {"llvm", "LLVM"},
    {"llvm-c", "LLVM"},
    {"nlohmann", "nlohmann"},
    {"CLI", "CLI11"},
    {"toml++", "toml++"},
    {"re2", "RE2"},
    {"libdeflate.h", "libdeflate"},
    {"archive.h", "libarchive"},
    {"zlib.h", "zlib"},
    {"tree_sitter", "tree-sitter"},
    {"seccomp.h", "libseccomp"},
    {"archive_entry.h", "libarchive"},
};
// What makes an answer depend on more than the wheel, and who alone may look.
const std::map<std::string, Names> kept_from_most = {
    {"chrono", {"cli"}},
    {"ctime", {}},
    {"random", {}},
    {"locale", {}},
    {"clocale", {}},
    {"cctype", {}},
    {"iostream", {"cli"}},
    {"regex", {}},
    {"fstream", {"environment", "roots", "pipeline.cpp", "cli"}},
    {"base/text_file.h", {"base", "policy", "knowledge", "environment", "config"}},
    {"filesystem", {"policy", "environment", "config", "cache", "roots", "pipeline_read.cpp", "cli"}},
    {"thread", {"base", "cli"}},
    {"future", {"base"}},
    {"mutex", {"base", "cli", "archive", "pipeline.cpp"}},
    {"csignal", {"cli"}},
};

struct Include {
  std::string room, what, where;  // room that includes; "base/text.h" or "<vector>"; file:line
  bool own = false;               // a header of ours
};

std::string folder_of(const std::string& header) { return header.substr(0, header.find('/')); }

std::string room_of(const std::string& file) {
  if (file.starts_with("include/")) return "wheelcheck";
  return folder_of(file.substr(std::string("src/").size()));
}

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
        found.push_back({.room = room_of(file),
                         .what = what,
                         .where = file + ":" + std::to_string(i + 1),
                         .own = line[from] == '"' && !third_party_of_folder.contains(folder_of(what))});
      }
    }
  }
  return found;
}

std::optional<std::string> third_party_of(const std::string& header) {
  const auto it = third_party_of_folder.find(folder_of(header));
  if (it != third_party_of_folder.end()) return it->second;
  // Standard headers have neither a folder nor an ending.
  if (header.find_first_of("/.") != std::string::npos) return "system";
  return std::nullopt;
}

TEST(Layers, EveryFolderOfSrcHasItsPlaceInThePlan) {
  for (const std::string& file : files_of("src")) EXPECT_TRUE(plan.contains(room_of(file))) << file;
}

TEST(Layers, ARoomIncludesOnlyTheRoomsItMayKnow) {
  std::size_t seen = 0;
  for (const Include& include : all_includes()) {
    if (!include.own || !plan.contains(include.room)) continue;
    const std::string target = folder_of(include.what);
    const Module& room = plan.at(include.room);
    EXPECT_TRUE(target == include.room || room.modules.contains(target) || room.doors.contains(include.what))
        << include.where << " includes " << include.what;
    ++seen;
  }
  EXPECT_GT(seen, 50U) << "the includes were not found";
}

TEST(Layers, AThirdPartyIsSeenOnlyInItsRooms) {
  Names seen;
  for (const Include& include : all_includes()) {
    if (include.own || !plan.contains(include.room)) continue;
    const std::optional<std::string> party = third_party_of(include.what);
    if (!party) continue;
    EXPECT_TRUE(plan.at(include.room).third_parties.contains(*party))
        << include.where << " includes " << include.what << " of " << *party;
    seen.insert(*party);
  }
  EXPECT_TRUE(seen.contains("LLVM")) << "the includes were not found";
}

TEST(Layers, ClockLocaleAndFilesStayWithThoseWhoMayAsk) {
  for (const Include& include : all_includes()) {
    const auto it = kept_from_most.find(include.what);
    if (it == kept_from_most.end()) continue;
    EXPECT_TRUE(it->second.contains(include.room)) << include.where << " includes " << include.what;
  }
}

TEST(Layers, OnlyTheCommandLineReadsTheEnvironment) {
  for (const std::string& file : files_of("src")) {
    if (room_of(file) == "cli") continue;
    const std::string text = text_of(file);
    for (const char* const call : {"std::getenv", " getenv(", "secure_getenv(", " environ;"})
      EXPECT_EQ(text.find(call), std::string::npos) << file;
  }
}

// The cache must not take facts that other code made for its own.
TEST(Layers, TheReadersFingerprintCoversWhatFactsComeFrom) {
  Names covered;
  for (const std::string& line : lines_of("cmake/Embed.cmake"))
    if (const std::size_t at = line.find("foreach(room "); at != std::string::npos) {
      std::istringstream words(line.substr(at + 13, line.find(')', at) - at - 13));
      for (std::string word; words >> word;) covered.insert(word);
    }
  Names wanted = plan.at("wheel").modules;
  wanted.insert({"wheel", "facts"});
  wanted.erase("wheelcheck");  // all of include/wheelcheck
  EXPECT_EQ(covered, wanted);
}

// The page and the plan above say the same: a row for each room, with its third parties and no other.
TEST(Layers, ArchitecturePageTellsThisPlan) {
  std::map<std::string, std::string> rows;
  for (const std::string& line : lines_of("docs/architecture.md")) {
    if (line.starts_with("## ")) break;  // the plan's table comes first
    if (!line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    rows[line.substr(3, end - 3)] = line.substr(end);
  }
  for (const auto& [name, room] : plan) {
    const std::string key = name == "wheelcheck" ? "include/wheelcheck" : name;
    ASSERT_TRUE(rows.contains(key)) << "docs/architecture.md has no row for " << key;
    for (const auto& [folder, party] : third_party_of_folder) {
      if (party == "fmt") continue;  // the one that every room may use
      EXPECT_EQ(rows[key].find(party) != std::string::npos, room.third_parties.contains(party)) << key << ": " << party;
    }
    rows.erase(key);
  }
  EXPECT_TRUE(rows.empty()) << "docs/architecture.md has a row that the plan lacks: " << rows.begin()->first;
}

}  // namespace
}  // namespace wheelcheck::meta
