#include "wheel/python_files.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "python/names.h"
#include "python/read.h"

namespace wheelcheck::wheel {

bool is_python(const archive::Entry& entry, const Limits& limits) {
  return entry.path.text().ends_with(".py") && entry.size <= limits.source_bytes;
}

std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading) {
  std::unique_ptr<PythonFile> result;
  const auto set = [&](PythonFile file) { result = std::make_unique<PythonFile>(std::move(file)); };
  const bool loads = python::is_worth_parsing(source);
  if (reading == PythonReading::Imports) {
    set(loads ? python::read_source(source, member) : python::read_imports(source, member));
  } else if (loads) {
    const bool events = reading == PythonReading::Again || source.find("setdlopenflags") != source.npos;
    auto file = python::read_loads(source, member, events ? python::Told::Events : python::Told::Calls);
    if (file) set(std::move(*file));
  }
  if (std::vector<PythonName> names = python::library_names(source); !names.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->names = std::move(names);
  }
  return result;
}

bool sets_global(const PythonFile& file) {
  return std::ranges::any_of(
      file.calls, [](const PythonCall& call) { return call.call == LoadCall::SetDlopenFlags && call.global; });
}

}  // namespace wheelcheck::wheel
