// Printable names for everything that a report refers to: files, places, results and enum values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/enum_names.h"
#include "model/highest_version.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// One wheel of a report and the other wheels that provide libraries to it.
struct Subject {
  const WheelReport& wheel;
  std::span<const WheelFacts> providers;
};

// The analysis of the file; empty if it was not analysed.
const ElfAnalysis& analysis_of(const Analysis& analysis, ElfIndex elf);

const MemberFacts& member_of(const WheelFacts& wheel, ElfIndex elf);
std::string elf_path(const WheelFacts& wheel, ElfIndex elf);
// The path in this wheel, or `other.whl::path` for a file of another wheel.
std::string elf_path(const Subject& subject, ElfRef elf);
const WheelFacts& wheel_of(const Subject& subject, WheelIndex index);
// The member that a finding is about; "" for the whole wheel.
std::string place_path(const WheelFacts& wheel, const Place& place);
// wheel.whl, or wheel.whl::pkg/x.so
std::string place_text(const WheelFacts& wheel, const Place& place);

// "nvidia-cublas", "mlx-cpu (extra cpu)", "the NVIDIA driver". Escaped.
std::string source_text(const LibrarySource& source);
// What provides a library to a file besides the wheel and the system; null if nothing is known to.
const LibrarySource* source_of(const Resolution& resolution, ElfIndex elf, std::string_view library);

// The file of these wheels that has the name of a library which the file requires, but that no search path leads to.
std::optional<ElfRef> unreached(const Resolution& resolution, ElfIndex elf, std::string_view library);

// "compatible", "not compatible", "unknown", "no minimum system"
std::string_view tag_result_text(TagResult result);
std::string tag_result_word(TagResult tag_result);  // "no-minimum" for "no minimum"

// "Windows, macOS" if all tags of the wheel are for other systems, so that it is not checked; else "".
std::string other_systems(const WheelReport& wheel);
// A symbol for people: demangled, without arguments and then without template arguments where it is long. The mangled
// name where that is still too long.
std::string short_symbol(std::string_view symbol);
// The text with its mangled names as short_symbol shows them, safe to print.
std::string with_short_symbols(std::string_view text);

// One entry for each element of DynamicFacts::needs: the imports with that version, sorted by name.
std::vector<std::vector<std::string_view>> symbols_by_need(const DynamicFacts& dynamic);

}  // namespace wheelcheck::report
