#include "report/runs_on/runs_on_words.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "base/text.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t symbol_width = 60;  // C++ names are long

}  // namespace

std::string_view name_of(SystemRequirement::Kind kind) {
  constexpr std::array<std::string_view, 8> names = {"c-library", "machine", "missing-version", "version",
                                                     "library",   "isa",     "symbol",          "interpreter"};
  return names[static_cast<std::size_t>(kind)];
}

std::string ask_text(const SystemRequirement& ask) {
  const std::string name = escape(ask.name);
  switch (ask.kind) {
    case SystemRequirement::Kind::CLibrary:
      return fmt::format("linked for {}", name);
    case SystemRequirement::Kind::Machine:
      return fmt::format("code for {}", name);
    case SystemRequirement::Kind::MissingVersion:
    case SystemRequirement::Kind::Symbol:
      return fmt::format("{} of {}", name, escape(ask.library));
    case SystemRequirement::Kind::Isa:
      return fmt::format("a CPU of {}", name);
    case SystemRequirement::Kind::Interpreter:
      return fmt::format("a CPython with {}", name);
    case SystemRequirement::Kind::Version:
    case SystemRequirement::Kind::Library:
      break;
  }
  return name;
}

std::string asker_text(const WheelFacts& wheel, const SystemRequirement& ask) {
  std::string text = elf_path(wheel, ask.file);
  if (!ask.symbol.empty()) text += fmt::format(" ({})", escape(ask.symbol, symbol_width));
  if (ask.files > 1) text += fmt::format(" and {} more {}", ask.files - 1, ask.files == 2 ? "file" : "files");
  return text;
}

}  // namespace wheelcheck::report
