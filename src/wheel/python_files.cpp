#include "wheel/python_files.h"

#include <utility>
#include <vector>

#include "python/names.h"
#include "python/read.h"

namespace wheelcheck::wheel {

namespace {

// Test suites are not run by an import, and the libraries that they name are mostly fictitious.
bool is_test_suite(std::string_view path) { return path.starts_with("tests/") || path.contains("/tests/"); }

}  // namespace

bool is_python(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  return path.ends_with(".py") && entry.size <= limits.source_bytes && (limits.imports || !is_test_suite(path));
}

std::optional<PythonReading> reading_of(std::string_view source, const Limits& limits) {
  if (limits.imports) return PythonReading::Imports;
  if (!python::is_worth_parsing(source)) return PythonReading::Names;
  return python::may_set_flags(source) ? std::optional(PythonReading::Events) : std::nullopt;
}

std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading) {
  std::unique_ptr<PythonFile> result;
  const auto set = [&](PythonFile file) { result = std::make_unique<PythonFile>(std::move(file)); };
  if (reading == PythonReading::Imports) {
    set(python::is_worth_parsing(source) ? python::read_source(source, member) : python::read_imports(source, member));
    result->variables = python::variables_set(source);
  } else if (reading != PythonReading::Names) {
    const bool events = reading == PythonReading::Events;
    auto file = python::read_loads(source, member, events ? python::Detail::Events : python::Detail::Calls);
    if (file) set(std::move(*file));
  }
  if (std::vector<PythonName> names = python::library_names(source); !names.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->names = std::move(names);
  }
  return result;
}

}  // namespace wheelcheck::wheel
