#include "report/runs_on_words.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

#include "base/text.h"
#include "report/names.h"
#include "report/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t symbol_width = 60;  // C++ names are long

}  // namespace

std::string_view name_of(Ask::Kind kind) {
  constexpr std::array<std::string_view, 8> names = {"c-library", "machine", "missing-version", "version",
                                                     "library",   "isa",     "symbol",          "interpreter"};
  return names[static_cast<std::size_t>(kind)];
}

std::string ask_text(const Ask& ask) {
  const std::string name = escape(ask.name);
  switch (ask.kind) {
    case Ask::Kind::CLibrary:
      return fmt::format("linked for {}", name);
    case Ask::Kind::Machine:
      return fmt::format("code for {}", name);
    case Ask::Kind::MissingVersion:
    case Ask::Kind::Symbol:
      return fmt::format("{} of {}", name, escape(ask.library));
    case Ask::Kind::Isa:
      return fmt::format("a CPU of {}", name);
    case Ask::Kind::Interpreter:
      return fmt::format("a CPython with {}", name);
    case Ask::Kind::Version:
    case Ask::Kind::Library:
      break;
  }
  return name;
}

std::string asker_text(const WheelFacts& wheel, const Ask& ask) {
  std::string text = elf_path(wheel, ask.file);
  if (!ask.symbol.empty()) text += fmt::format(" ({})", escape(ask.symbol, symbol_width));
  if (ask.files > 1) text += fmt::format(" and {} more {}", ask.files - 1, ask.files == 2 ? "file" : "files");
  return text;
}

}  // namespace wheelcheck::report
