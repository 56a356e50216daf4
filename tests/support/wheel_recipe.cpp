#include "tests/support/wheel_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "base/hash.h"
#include "base/text.h"
#include "tests/support/elf_recipe.h"
#include "tests/support/zip_builder.h"

namespace wheelcheck::test {
namespace {

using nlohmann::json;

std::string base64url(const std::string& hex) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0, held = 0;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bits = bits << 8 | static_cast<unsigned>(std::stoul(hex.substr(i, 2), nullptr, 16));
    for (held += 8; held >= 6; held -= 6) out += digits[bits >> (held - 6) & 63];
  }
  if (held > 0) out += digits[bits << (6 - held) & 63];
  return out;
}

std::string record_row(const std::string& path, const std::string& bytes) {
  return fmt::format("{},sha256={},{}\n", path, base64url(sha256_hex(std::as_bytes(std::span(bytes)))), bytes.size());
}

std::vector<std::string> words(const json& list) {
  std::vector<std::string> out;
  for (const json& word : list) out.push_back(word.get<std::string>());
  return out;
}

std::string wheel_file(const json& recipe, std::span<const std::string_view> parts) {
  const bool pure = recipe.value("root_is_purelib", parts.back() == "any");
  std::string text = fmt::format("Wheel-Version: 1.0\nGenerator: made\nRoot-Is-Purelib: {}\n", pure);
  std::vector<std::string> tags = words(recipe.value("tags", json::array()));
  if (tags.empty())
    for (const std::string_view python : split(parts[2], '.'))
      for (const std::string_view abi : split(parts[3], '.'))
        for (const std::string_view platform : split(parts[4], '.'))
          tags.push_back(fmt::format("{}-{}-{}", python, abi, platform));
  for (const std::string& tag : tags) text += fmt::format("Tag: {}\n", tag);
  return text;
}

void pack(const json& recipe, MadeWheel& wheel) {
  const std::string stem = wheel.file.substr(0, wheel.file.size() - 4);
  const auto parts = split(stem, '-');
  const std::string dist_info = fmt::format("{}-{}.dist-info/", parts[0], parts[1]);
  std::string more;
  for (const std::string& line : words(recipe.value("metadata", json::array()))) more += line + "\n";
  std::vector<MadeMember> all = wheel.members;
  all.push_back(
      {dist_info + "METADATA",
       fmt::format("Metadata-Version: 2.4\nName: {}\nVersion: {}\nLicense-Expression: MIT\n", parts[0], parts[1]) +
           more,
       true});
  all.push_back({dist_info + "WHEEL", wheel_file(recipe, parts), true});
  std::string record;
  std::vector<ZipMember> members;
  for (const MadeMember& member : all) {
    if (member.recorded) record += record_row(member.path, member.bytes);
    members.push_back({.name = member.path, .data = member.bytes});
  }
  for (const std::string& row : words(recipe.value("record_rows", json::array()))) record += row + "\n";
  record += dist_info + "RECORD,,\n";
  members.push_back({.name = dist_info + "RECORD", .data = record});
  wheel.bytes = make_zip(members);
}

void read_expectations(const json& recipe, MadeWheel& wheel) {
  const json& expect = recipe.at("expect");
  wheel.exit = expect.at("exit").get<int>();
  wheel.best_tag = expect.at("best_tag").get<std::string>();
  wheel.levels = expect.at("promises").get<std::map<std::string, std::string>>();
  wheel.findings = words(expect.at("findings"));
  std::ranges::sort(wheel.findings);
  if (recipe.contains("environment"))
    wheel.environment = recipe.at("environment").get<std::map<std::string, std::string>>();
  if (recipe.contains("loader")) {
    const json& loader = recipe.at("loader");
    wheel.loader = MadeLoader{loader.at("open"), loader.at("loads"), loader.value("message", "")};
  }
}

}  // namespace

MadeWheel read_made_wheel(const std::string& recipe_path) {
  std::ifstream in(recipe_path);
  const json recipe = json::parse(in);
  static const std::vector<std::string> known = {"quirk",       "about",    "file",  "members",
                                                 "record_rows", "metadata", "tags",  "root_is_purelib",
                                                 "environment", "expect",   "loader"};
  for (const auto& [key, value] : recipe.items())
    if (std::ranges::find(known, key) == known.end()) throw std::invalid_argument(recipe_path + ": unknown key " + key);
  MadeWheel wheel{.stem = std::filesystem::path(recipe_path).stem().string(),
                  .quirk = recipe.at("quirk"),
                  .file = recipe.at("file")};
  for (const json& member : recipe.at("members")) {
    MadeMember made{.path = member.at("path"), .recorded = member.value("recorded", true)};
    made.bytes =
        member.contains("elf") ? make_elf(elf_recipe_from_json(member.at("elf"))) : member.value("text", std::string());
    wheel.members.push_back(std::move(made));
  }
  read_expectations(recipe, wheel);
  pack(recipe, wheel);
  return wheel;
}

std::vector<std::string> made_recipe_paths() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(WHEELCHECK_SOURCE_DIR "/wheels/made"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace wheelcheck::test
