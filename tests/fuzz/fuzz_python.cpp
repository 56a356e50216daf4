// Fuzz target: any bytes as a Python file. The facts are not larger than the file, and every index is valid.
#include <cstdint>
#include <string>

#include "python/names.h"
#include "python/read.h"
#include "tests/fuzz/fuzz.h"

namespace wheelcheck::fuzz {
namespace {

bool is_place(std::uint32_t index, std::size_t size) { return index == no_python_index || index < size; }

void demand_lines(const PythonFile& file, std::size_t lines) {
  const auto inside = [&](std::uint32_t line) { return line >= 1 && line <= lines; };
  for (const PythonCall& call : file.calls) {
    demand(inside(call.line), "a call stands on a line of the file");
    demand(call.text.size() <= 200 + 3, "a call is shown in short", call.text);
  }
  for (const PythonEvent& event : file.events) demand(inside(event.line), "an event stands on a line of the file");
}

void demand_indices(const PythonFile& file) {
  for (const PythonUnit& unit : file.units)
    demand(std::uint64_t{unit.first} + unit.count <= file.events.size(), "a unit's events are events");
  for (std::size_t i = 0; i < file.conditions.size(); ++i)
    demand(is_place(file.conditions[i].outer, i), "an outer condition comes first");
  for (const PythonEvent& event : file.events) {
    using enum PythonAction;
    demand(is_place(event.condition, file.conditions.size()), "an event's condition is a condition");
    demand(is_place(event.call, file.calls.size()), "an event's call is a call");
    if (event.action == Load || event.action == SetFlags)
      demand(event.call != no_python_index, "what loads or sets flags is a call");
    if (event.action == Call || event.action == Enter || event.action == Leave)
      demand(is_place(event.target, file.units.size()), "an event's unit is a unit");
  }
}

void demand_bounded(const PythonFile& file, std::string_view source) {
  const auto lines = static_cast<std::size_t>(std::ranges::count_if(source, [](char c) { return c == '\n'; })) + 1;
  demand_lines(file, lines);
  demand_indices(file);
  std::size_t bytes = 0;
  for (const PythonEvent& event : file.events) {
    bytes += event.name.size();
    for (const std::string& name : event.names) bytes += name.size();
  }
  demand(file.calls.size() <= source.size() && file.units.size() <= source.size() + 1,
         "there is no more than there is");
  demand(file.events.size() <= 8 * source.size(), "a file does no more than it says");
  demand(bytes <= 64 * source.size() + 4096, "names are not longer than the file");
}

}  // namespace
}  // namespace wheelcheck::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wheelcheck;
  const std::string_view source = fuzz::text_of(data, size);
  python::is_worth_parsing(source);
  fuzz::demand_bounded(python::read_source(source, MemberIndex{0}), source);
  fuzz::demand_bounded(python::read_imports(source, MemberIndex{0}), source);
  for (const python::Detail detail : {python::Detail::Calls, python::Detail::Events})
    if (const auto loads = python::read_loads(source, MemberIndex{0}, detail)) fuzz::demand_bounded(*loads, source);
  for (const PythonName& name : python::library_names(source))
    fuzz::demand(name.text.find(".so") != std::string::npos, "a library's name holds .so");
  return 0;
}
