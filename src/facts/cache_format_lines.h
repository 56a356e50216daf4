// The line types of the cache format, and the lengths of their lists, so that a missing line is detected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "facts/cache_format.h"
#include "facts/columns.h"
#include "facts/describe_wheel.h"
#include "facts/json_form.h"

namespace wheelcheck::facts {

// In the order of the lines. Those from Elf to References are repeated for each ELF file.
enum class Line {
  Header,
  Wheel,
  Members,
  Record,
  Flaws,
  Elf,
  Libraries,
  Versions,
  BuildPaths,
  Imports,
  Exports,
  References,
  Python
};
inline constexpr EnumTable<Line, 13> line_words{{{Line::Header, "wheelcheck-facts"},
                                                 {Line::Wheel, "wheel"},
                                                 {Line::Members, "members"},
                                                 {Line::Record, "record"},
                                                 {Line::Flaws, "flaws"},
                                                 {Line::Elf, "elf"},
                                                 {Line::Libraries, "libraries"},
                                                 {Line::Versions, "versions"},
                                                 {Line::BuildPaths, "build_paths"},
                                                 {Line::Imports, "imports"},
                                                 {Line::Exports, "exports"},
                                                 {Line::References, "references"},
                                                 {Line::Python, "python"}}};

inline constexpr std::size_t items_a_line = 4096, symbols_a_line = 65536;
inline constexpr std::size_t name_bytes_a_line = std::size_t{4} << 20;

template <class Form>
void describe(Form& form, Of<Form, CacheHeader>& header) {
  auto& [version, reader, file, sha256, size, limits] = header;
  form("version", version);
  form("reader", reader);
  form("file", file);
  form("sha256", sha256);
  form("size", size);
  form("limits", limits);
}

struct WheelCounts {
  std::uint64_t members = 0, flaws = 0, elfs = 0, python = 0;
  std::optional<std::uint64_t> record;  // nullopt: there is no RECORD
  bool operator==(const WheelCounts&) const = default;
};
template <class Form>
void describe(Form& form, Of<Form, WheelCounts>& counts) {
  auto& [members, flaws, elfs, python, record] = counts;
  form("members", members);
  form("flaws", flaws);
  form("elfs", elfs);
  form("python", python);
  form("record", record);
}

struct ElfCounts {
  std::uint64_t libraries = 0, versions = 0, build_paths = 0, imports = 0, exports = 0, references = 0;
  bool operator==(const ElfCounts&) const = default;
};
template <class Form>
void describe(Form& form, Of<Form, ElfCounts>& counts) {
  auto& [libraries, versions, build_paths, imports, exports, references] = counts;
  form("libraries", libraries);
  form("versions", versions);
  form("build_paths", build_paths);
  form("imports", imports);
  form("exports", exports);
  form("references", references);
}

// The lists have lines of their own. File and size are in the header, and the path is not a property of the wheel.
template <class Form>
void describe(Form& form, Of<Form, WheelFacts>& wheel) {
  auto& [file, path, name, dist_info, wheel_file, metadata, record, size, members, elfs, python, all_python, flaws,
         sboms, scripts, script_lines, variant_x86_level] = wheel;
  form("name", name);
  form("dist_info", dist_info);
  form("wheel_file", wheel_file);
  form("metadata", metadata);
  form("all_python", all_python);
  form("sboms", sboms);
  form("scripts", scripts);
  form("script_lines", script_lines);
  form("variant_x86_level", variant_x86_level);
}

}  // namespace wheelcheck::facts
