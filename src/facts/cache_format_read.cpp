// Converts lines to facts. Every index is checked against its table as soon as both are known.
#include <algorithm>
#include <iterator>
#include <utility>

#include "facts/cache_format_lines.h"

namespace wheelcheck::facts {
namespace {

// The type of a line, from its first key.
std::optional<Line> kind_of(std::string_view line) {
  if (!line.starts_with("{\"")) return std::nullopt;
  line.remove_prefix(2);
  return value_in(line_words, line.substr(0, line.find('"')));
}

bool is_place(std::uint32_t index, std::size_t size) { return index == no_python_index || index < size; }

bool is_whole(const PythonEvent& event, const PythonFile& file) {
  const PythonAction action = event.action;
  const bool of_unit = action == PythonAction::Call || action == PythonAction::Enter || action == PythonAction::Leave;
  const bool of_call = action == PythonAction::Load || action == PythonAction::SetFlags;
  return is_place(event.condition, file.conditions.size()) && is_place(event.call, file.calls.size()) &&
         (!of_call || event.call != no_python_index) && (!of_unit || is_place(event.target, file.units.size()));
}

bool is_whole(const PythonFile& file) {
  for (const PythonUnit& unit : file.units)
    if (std::uint64_t{unit.first} + unit.count > file.events.size()) return false;
  // An outer condition comes earlier in the list, so following `outer` always ends.
  for (std::size_t i = 0; i < file.conditions.size(); ++i)
    if (!is_place(file.conditions[i].outer, i)) return false;
  return std::ranges::all_of(file.events, [&](const PythonEvent& event) { return is_whole(event, file); });
}

}  // namespace

class CacheReader::Lines {
 public:
  bool take(std::string_view line) {
    good_ = good_ && take_next(line);
    return good_;
  }

  const std::optional<CacheHeader>& header() const { return header_; }

  std::optional<WheelFacts> finish() {
    if (!good_ || last_ < Line::Wheel || !end_elf()) return std::nullopt;
    const WheelCounts counts{.members = wheel_.members.size(),
                             .flaws = wheel_.flaws.size(),
                             .elfs = wheel_.elfs.size(),
                             .python = wheel_.python.size(),
                             .record = wheel_.record.transform(&std::vector<RecordRow>::size)};
    good_ = false;
    for (const Sbom& sbom : wheel_.sboms)
      if (sbom.member.value >= wheel_.members.size()) return std::nullopt;
    for (const ScriptLine& script : wheel_.script_lines)
      if (script.member.value >= wheel_.members.size()) return std::nullopt;
    return counts == counts_ ? std::optional(std::move(wheel_)) : std::nullopt;
  }

 private:
  static bool is_part(Line kind) { return kind > Line::Elf && kind < Line::Python; }  // lines of an ELF file

  bool may_follow(Line kind) const {
    if (!header_) return kind == Line::Header;
    if (last_ == Line::Header) return kind == Line::Wheel;
    if (kind == Line::Elf) return last_ < Line::Python;
    if (is_part(kind) && last_ < Line::Elf) return false;
    return kind > Line::Wheel && kind >= last_;
  }

  bool take_next(std::string_view line) {
    const auto kind = kind_of(line);
    if (!kind || !may_follow(*kind)) return false;
    if ((*kind == Line::Elf || *kind == Line::Python) && !end_elf()) return false;
    last_ = *kind;
    if (!pool_ || *kind == Line::Elf) {
      pool_ = std::make_unique<StringPool>();
      symbol_names_ = std::make_unique<StringPool>();
    }
    JsonReader form(line, *kind == Line::Imports || *kind == Line::Exports ? *symbol_names_ : *pool_);
    return is_part(*kind) ? read_part(form) : read(form);
  }

  template <class... Parts>
  bool parse(JsonReader& form, Parts&... parts) const {
    return form.line(name_in(line_words, last_), parts...);
  }

  bool read(JsonReader& form) {
    switch (last_) {
      case Line::Header:
        return parse(form, header_.emplace()) && header_->version == cache_version;
      case Line::Wheel:
        return read_wheel(form);
      case Line::Members:
        return read_members(form);
      case Line::Record:
        return wheel_.record && append(form, *wheel_.record);
      case Line::Flaws:
        return append(form, wheel_.flaws) && std::ranges::all_of(wheel_.flaws, [&](const WheelFlaw& flaw) {
                 return !flaw.member || flaw.member->value < wheel_.members.size();
               });
      case Line::Elf:
        return read_elf(form);
      default:
        return read_python(form);
    }
  }

  bool read_wheel(JsonReader& form) {
    wheel_.file = header_->file;
    wheel_.size = header_->size;
    if (!parse(form, wheel_, counts_)) return false;
    if (counts_.record) wheel_.record.emplace();
    return true;
  }

  // Members are searched by path, so they must be sorted.
  bool read_members(JsonReader& form) {
    std::vector<MemberRow> rows;
    if (!parse(form, rows)) return false;
    for (MemberRow& row : rows) {
      auto path = MemberPath::parse(row.path);
      if (!path || (!wheel_.members.empty() && *path <= wheel_.members.back().path)) return false;
      wheel_.members.push_back(
          {std::move(*path), row.size, row.packed_size, row.crc32, row.unix_mode, std::move(row.sha256), row.foreign});
    }
    return true;
  }

  template <class T>
  bool append(JsonReader& form, std::vector<T>& out) const {
    std::vector<T> more;
    if (!parse(form, more)) return false;
    std::ranges::move(more, std::back_inserter(out));
    return true;
  }

  // Files must be in the order of their members.
  template <class File>
  bool is_next(const std::vector<File>& files) const {
    const auto member = files.back().member.value;
    return member < wheel_.members.size() && (files.size() == 1 || files[files.size() - 2].member.value < member);
  }

  bool read_elf(JsonReader& form) {
    elf_counts_ = {};
    ElfMember& elf = wheel_.elfs.emplace_back();
    if (!parse(form, elf, elf_counts_) || !is_next(wheel_.elfs)) return false;
    const auto bits = elf.facts.bits;
    if (bits != 0 && bits != 32 && bits != 64) return false;
    const std::uint64_t max = header_->limits.symbols;
    if (elf_counts_.imports > max || elf_counts_.exports > max) return false;
    if (auto& dynamic = elf.facts.dynamic) {
      constexpr std::uint64_t believed = 4'000'000;  // limit for reserving before any symbol was read
      dynamic->imports.reserve(std::min(elf_counts_.imports, believed));
      dynamic->exports.reserve(std::min(elf_counts_.exports, believed));
    }
    return true;
  }

  bool read_part(JsonReader& form) {
    ElfFacts& elf = wheel_.elfs.back().facts;
    if (last_ == Line::Libraries) return append(form, elf.texts.libraries);
    if (last_ == Line::Versions) return append(form, elf.texts.versions);
    if (last_ == Line::BuildPaths) return append(form, elf.texts.build_paths);
    if (!elf.dynamic) return false;
    if (last_ == Line::Imports) return read_columns<ImportColumns>(form, append_imports, *elf.dynamic);
    if (last_ == Line::Exports) return read_columns<ExportColumns>(form, append_exports, *elf.dynamic);
    return read_columns<ReferenceColumns>(form, append_references, *elf.dynamic);
  }
  template <class Columns>
  bool read_columns(JsonReader& form, bool (*add)(const Columns&, DynamicFacts&), DynamicFacts& facts) const {
    Columns columns;
    return parse(form, columns) && add(columns, facts);
  }

  // Checks the lengths of the lists of the last ELF file, if there is one, and moves the pool of its texts to its
  // facts.
  bool end_elf() {
    if (wheel_.elfs.empty() || wheel_.elfs.back().facts.strings) return true;
    ElfFacts& facts = wheel_.elfs.back().facts;
    ElfCounts counts{.libraries = facts.texts.libraries.size(),
                     .versions = facts.texts.versions.size(),
                     .build_paths = facts.texts.build_paths.size()};
    if (facts.dynamic) {
      counts.imports = facts.dynamic->imports.size();
      counts.exports = facts.dynamic->exports.size();
      counts.references = facts.dynamic->references.size();
    }
    facts.strings = std::move(pool_);
    facts.symbol_names = std::move(symbol_names_);
    return counts == elf_counts_;
  }

  bool read_python(JsonReader& form) {
    PythonFile& file = wheel_.python.emplace_back();
    return parse(form, file) && is_next(wheel_.python) && is_whole(file);
  }

  std::optional<CacheHeader> header_;
  WheelFacts wheel_;
  WheelCounts counts_;
  ElfCounts elf_counts_;                             // of the last ELF file
  std::unique_ptr<StringPool> pool_, symbol_names_;  // of the last ELF file
  Line last_ = Line::Header;
  bool good_ = true;
};

CacheReader::CacheReader() : lines_(std::make_unique<Lines>()) {}
CacheReader::~CacheReader() = default;
bool CacheReader::take(std::string_view line) { return lines_->take(line); }
const std::optional<CacheHeader>& CacheReader::header() const { return lines_->header(); }
std::optional<WheelFacts> CacheReader::finish() { return lines_->finish(); }

}  // namespace wheelcheck::facts
