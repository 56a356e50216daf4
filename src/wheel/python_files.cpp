#include "wheel/python_files.h"

#include <utility>
#include <vector>

#include "python/names.h"
#include "python/read.h"

namespace wheelcheck::wheel {

namespace {

// Nothing that a user imports runs it, and the libraries that it names are made up more often than not.
bool is_test_suite(std::string_view path) { return path.starts_with("tests/") || path.contains("/tests/"); }

}  // namespace

bool is_python(const archive::Entry& entry, const Limits& limits) {
  const std::string_view path = entry.path.text();
  return path.ends_with(".py") && entry.size <= limits.source_bytes && (limits.imports || !is_test_suite(path));
}

bool may_wait(std::string_view source) { return python::is_worth_parsing(source) && !python::may_set_flags(source); }

std::unique_ptr<PythonFile> read_python(std::string_view source, MemberIndex member, PythonReading reading) {
  std::unique_ptr<PythonFile> result;
  const auto set = [&](PythonFile file) { result = std::make_unique<PythonFile>(std::move(file)); };
  const bool loads = python::is_worth_parsing(source);
  if (reading == PythonReading::Imports) {
    set(loads ? python::read_source(source, member) : python::read_imports(source, member));
  } else if (loads) {
    const bool events = reading == PythonReading::Events || python::may_set_flags(source);
    auto file = python::read_loads(source, member, events ? python::Told::Events : python::Told::Calls);
    if (file) set(std::move(*file));
  }
  if (std::vector<PythonName> names = python::library_names(source); !names.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->names = std::move(names);
  }
  return result;
}

}  // namespace wheelcheck::wheel
