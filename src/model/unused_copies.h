// Copies of bundled libraries that nothing loads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/pattern.h"
#include "base/text.h"
#include "model/installed_files.h"
#include "model/needed_closure.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// The directory that glibc searches after that of the file, which it searches only on machines with the instructions
// that its name says (elf/dl-hwcaps.c; until 2.36 also platforms and hardware capabilities, sysdeps/x86/dl-hwcap.h and
// dl-procinfo.c, and "tls"): "pkg.libs" for pkg.libs/glibc-hwcaps/x86-64-v3/libfoo.so. None for any other file.
inline std::optional<std::string_view> directory_searched_next(std::string_view path) {
  constexpr std::string_view before_2_37[] = {"tls", "x86_64", "haswell", "xeon_phi", "avx512_1", "aarch64", "atomics"};
  std::string_view directory = directory_name(path);
  if (base_name(directory_name(directory)) == "glibc-hwcaps") return directory_name(directory_name(directory));
  while (contains(before_2_37, base_name(directory))) directory = directory_name(directory);
  return directory.size() < directory_name(path).size() ? std::optional(directory) : std::nullopt;
}

// True for a file that the loader takes instead of the one beside its directory, or that Python code opens from its
// directory.
inline bool is_chosen(const WheelFacts& wheel, std::string_view path) {
  if (directory_searched_next(path)) return true;
  const auto last = [](std::string_view of) { return base_name(of.substr(0, std::min(of.rfind('/'), of.size()))); };
  const auto opens = [&](const PythonCall& call) {
    return call.library && call.library->contains('/') && glob_match(base_name(*call.library), base_name(path)) &&
           glob_match(last(*call.library), last(path));
  };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); });
}

// One flag per ELF file: below .data/data, which is outside of site-packages, a copy of a file of the package, which
// requires the same. Python code opens the one beside it (pydevd 3.5.0; auditwheel changes the search paths of each).
inline std::vector<bool> copies_in_data(const WheelFacts& wheel) {
  const auto is_in_data = [&](const ElfMember& elf) {
    const auto data = data_path(wheel.members[elf.member.value].path.text());
    return data && data->scheme == "data";
  };
  const auto key_of = [&](const ElfMember& elf) {
    return std::pair(base_name(wheel.members[elf.member.value].path.text()), elf.facts.dynamic->needed);
  };
  std::vector<bool> result(wheel.elfs.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = wheel.elfs[i].facts.dynamic && is_in_data(wheel.elfs[i]);
  if (std::ranges::find(result, true) == result.end()) return result;
  std::set<decltype(key_of(wheel.elfs.front()))> others;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic && !is_in_data(elf)) others.insert(key_of(elf));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] && others.contains(key_of(wheel.elfs[i]));
  return result;
}

// One flag per ELF file: copies_in_data, or a bundled library that no module, program or library of the package itself
// leads to by DT_NEEDED, while they load another file of its name. What such a copy requires is required of nobody.
// auditwheel does not judge it either, because its name is among the needed ones (wheel_abi.py, get_wheel_elfdata).
inline std::vector<bool> unused_copies(const WheelFacts& wheel, const Resolution& resolution) {
  const auto is_bundled = [&](std::size_t i) { return std::holds_alternative<BundledLibrary>(wheel.elfs[i].role); };
  std::vector<ElfIndex> used;
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i)
    if (!is_bundled(i)) used.push_back({i});
  std::vector<bool> reached(wheel.elfs.size());
  for (const ElfRef& file : needed_closure(resolution, used))
    if (file.wheel.value == 0 && file.elf.value < reached.size()) reached[file.elf.value] = true;
  const auto name_of = [&](const ElfMember& elf) { return base_name(wheel.members[elf.member.value].path.text()); };
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (reached[i]) names.insert(name_of(wheel.elfs[i]));
  std::vector<bool> result = copies_in_data(wheel);
  for (std::size_t i = 0; i < reached.size(); ++i)
    result[i] = result[i] || (!reached[i] && is_bundled(i) && names.contains(name_of(wheel.elfs[i])) &&
                              !is_chosen(wheel, wheel.members[wheel.elfs[i].member.value].path.text()));
  return result;
}

}  // namespace wheelcheck
