// Everything that keeps a wheel from one tag, file by file, so that its author knows what to rebuild or to avoid.
#include "report/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <variant>

#include "base/text.h"
#include "report/names.h"
#include "report/obstacle.h"
#include "report/rung_of_tag.h"
#include "report/text.h"
#include "report/why_answer.h"

namespace wheelcheck::report {
namespace {

// What one file asks and does not get.
struct FileObstacles {
  std::vector<std::string> general;  // about the file itself: machine, instructions, interpreter
  // library -> what of it -> symbols; "" for the library itself
  std::map<std::string,
           std::map<std::string, std::vector<std::string>, std::function<bool(const std::string&, const std::string&)>>>
      libraries;
};

bool newest_first(const std::string& a, const std::string& b) { return natural_order(b, a) < 0; }

std::map<ElfIndex, FileObstacles> by_file(const Assessment& assessment, RungIndex rung) {
  std::map<ElfIndex, FileObstacles> out;
  for (const RequirementIndex index : assessment.rungs[rung.value].obstacles) {
    const Requirement& requirement = assessment.requirements[index.value];
    FileObstacles& file = out[requirement.elf];
    const auto of = [&](const std::string& library) -> auto& {
      return file.libraries.try_emplace(escape(library), newest_first).first->second;
    };
    if (const auto* version = std::get_if<AsksVersion>(&requirement.what)) {
      std::vector<std::string>& symbols = of(version->library)[escape(version->version)];
      for (const std::string& symbol : version->symbols) symbols.push_back(escape(symbol));
    } else if (const auto* library = std::get_if<AsksLibrary>(&requirement.what)) {
      of(library->library)[""] = {promised_by(assessment, index)};
    } else if (const auto* symbol = std::get_if<AsksSymbol>(&requirement.what)) {
      of(symbol->library)["denied"].push_back(escape(symbol->symbol));
    } else if (const auto* missing = std::get_if<AsksMissingVersion>(&requirement.what)) {
      of(missing->library)[escape(missing->version)] = {"not defined by the copy in the wheel"};
    } else {
      file.general.push_back(subject_of(requirement));
    }
  }
  return out;
}

void add_file(std::string& out, const FileObstacles& file, const Paint& paint) {
  for (const std::string& text : file.general) out += fmt::format("  {}\n", paint.cyan(text));
  for (const auto& [library, nodes] : file.libraries) {
    const auto whole = nodes.find("");
    out += fmt::format("  {}", library);
    if (whole != nodes.end()) out += fmt::format("  not in the wheel, {}", whole->second.front());
    out += "\n";
    std::size_t width = 0;
    for (const auto& [node, symbols] : nodes) width = std::max(width, columns(node));
    for (const auto& [node, symbols] : nodes) {
      if (node.empty()) continue;
      const std::string names = symbols.empty() ? "no symbol names it" : join(symbols, ", ");
      out += fmt::format("    {}  {}\n", paint.cyan(node) + std::string(width - columns(node), ' '),
                         wrapped(names, 6 + width, 6 + width));
    }
  }
}

std::string answer_text(const WheelReport& wheel, const RungOfTag& found, std::string_view tag, const Paint& paint) {
  const Assessment& assessment = wheel.assessments[found.assessment];
  const std::vector<RequirementIndex>& obstacles = assessment.rungs[found.rung.value].obstacles;
  const std::string name = escape(assessment.rung_names[found.rung.value]);
  const std::size_t total = assessment.requirements.size();
  std::string out;
  if (!found.exact) out = fmt::format("no policy is known for {}: {} judges it\n", escape(tag), name);
  if (obstacles.empty()) {
    return out + fmt::format("{}: {} {}, nothing stands in between ({} of {} met)\n",
                             paint.bold(escape(wheel.facts.file)), paint.green("fits"), name, total,
                             plural(total, "requirement"));
  }
  const std::map<ElfIndex, FileObstacles> files = by_file(assessment, found.rung);
  out += fmt::format("{}: {} {}, {} of {} met; {} in {}\n", paint.bold(escape(wheel.facts.file)),
                     paint.red("does not fit"), name, total - obstacles.size(), plural(total, "requirement"),
                     plural(obstacles.size(), "obstacle"), plural(files.size(), "file"));
  out += wrapped(fmt::format("in short: {}", fmt::join(short_names(assessment, obstacles), ", ")), 0, 10) + "\n";
  for (const auto& [elf, file] : files) {
    out += fmt::format("\n{}\n", paint.bold(elf_path(wheel.facts, elf)));
    add_file(out, file, paint);
  }
  return out + fmt::format("\nthe content fits {}\n", escape(assessment.rung_names[assessment.best.value]));
}

}  // namespace

Result<std::string> render_why(const WheelReport& wheel, std::string_view tag, const WhyOptions& options) {
  const Result<std::vector<RungOfTag>> found = rungs_of_tag(wheel, tag);
  if (!found) return std::unexpected(found.error());
  if (options.json) {
    Json answers = Json::array();
    for (const RungOfTag& rung : *found) answers.push_back(why_answer_json(wheel, rung));
    return why_document(wheel, safe(tag), std::move(answers));
  }
  const Paint paint(options.colour);
  std::string out;
  for (const RungOfTag& rung : *found) {
    if (!out.empty()) out += "\n";
    out += answer_text(wheel, rung, tag, paint);
  }
  return out;
}

}  // namespace wheelcheck::report
