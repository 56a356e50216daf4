#include "wheel/python_files.h"

#include <algorithm>
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
  return path.ends_with(".py") && (limits.imports || !is_test_suite(path));
}

bool is_too_long(const archive::Entry& entry, const Limits& limits) { return entry.size > limits.source_bytes; }

std::unique_ptr<PythonFile> not_read(MemberIndex member) {
  PythonFile file{.member = member, .broken = true};
  file.cut = true;
  return std::make_unique<PythonFile>(std::move(file));
}

PythonBudget::PythonBudget(std::span<const archive::Entry> entries) {
  // The files of a directory are not packed.
  for (const archive::Entry& entry : entries)
    left_ += for_packed_byte * (entry.packed_size != 0 ? entry.packed_size : entry.size);
}

bool PythonBudget::admits(const archive::Entry& entry) {
  const std::uint64_t cost = entry.size + for_file;
  if (cost > left_) return false;
  left_ -= cost;
  return true;
}

std::optional<PythonReading> reading_of(std::string_view source, const Limits& limits) {
  if (limits.imports) return PythonReading::Imports;
  if (!python::is_worth_parsing(source)) return PythonReading::Names;
  return std::nullopt;
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
    // The events of such a file say whether its call can run at all (rules/symbols/dead_calls.h).
    if (file && !events && std::ranges::any_of(file->calls, &PythonCall::global))
      file = python::read_loads(source, member, python::Detail::Events);
    if (file) set(std::move(*file));
  }
  if (std::vector<PythonName> names = python::library_names(source); !names.empty()) {
    if (!result) set({.member = member, .calls = {}, .names = {}});
    result->names = std::move(names);
  }
  return result;
}

}  // namespace wheelcheck::wheel
