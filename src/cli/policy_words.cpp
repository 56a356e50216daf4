// How a level is named on the command line.
#include "cli/policy_words.h"

#include <fmt/format.h>

#include "base/text.h"

namespace wheelcheck::cli {

void add_level_files_option(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("--policy", files, "File or directory whose levels add to the built-in ones")->type_name("FILE");
}
void add_arch_option(CLI::App& app, std::string& arch) {
  app.add_option("--arch", arch, "Only this architecture: x86_64")->type_name("ARCH");
}
void add_format_option(CLI::App& app, std::string& format, std::vector<std::string> formats) {
  app.add_option("--format", format, "Output format")->check(CLI::IsMember(std::move(formats)))->capture_default_str();
}

Result<WantedLevel> wanted_level(const std::string& word, const std::string& arch) {
  const auto bad = [](std::string text) { return std::unexpected(Error{ErrorCode::Usage, std::move(text)}); };
  WantedLevel out{word, std::nullopt};
  for (std::size_t at = word.find('_'); at != word.npos && !out.arch; at = word.find('_', at + 1))
    if (const auto found = arch_from_name(std::string_view(word).substr(at + 1))) out = {word.substr(0, at), found};
  if (arch.empty()) return out;
  const std::optional<Arch> said = arch_from_name(arch);
  if (!said) return bad(fmt::format("--arch: {} is not an architecture of a platform tag", escape(arch)));
  if (out.arch && out.arch != said) return bad(fmt::format("{} is not of {}", escape(word), escape(arch)));
  out.arch = said;
  return out;
}

Result<policy::Level> level_of(std::span<const policy::Level> levels, const std::string& word,
                               const std::string& arch) {
  const Result<WantedLevel> want = wanted_level(word, arch);
  if (!want) return std::unexpected(want.error());
  Result<policy::Level> level = find_level(levels, want->name);
  if (!level || !want->arch) return level;
  std::erase_if(level->policies, [&](const auto& entry) { return entry.first != *want->arch; });
  if (level->policies.empty())
    return std::unexpected(
        Error{ErrorCode::Usage, fmt::format("{} has no {}", escape(level->name), name_of(*want->arch))});
  return level;
}

}  // namespace wheelcheck::cli
