// Converts facts to lines. One buffer is used for all lines, so that the memory is that of the longest line.
#include <algorithm>
#include <span>

#include "facts/cache_format_lines.h"

namespace wheelcheck::facts {
namespace {

class Writer {
 public:
  explicit Writer(const std::function<void(std::string_view)>& line) : line_(line) {}

  void header(const CacheHeader& header) { write(Line::Header, header); }

  void wheel(const WheelFacts& wheel) {
    write(Line::Wheel, wheel,
          WheelCounts{.members = wheel.members.size(),
                      .flaws = wheel.flaws.size(),
                      .elfs = wheel.elfs.size(),
                      .python = wheel.python.size(),
                      .record = wheel.record.transform(&std::vector<RecordRow>::size)});
    std::vector<MemberRow> members;
    for (const MemberFacts& member : wheel.members) members.push_back(row_of(member));
    list<MemberRow>(Line::Members, members);
    if (wheel.record) list<RecordRow>(Line::Record, *wheel.record);
    list<WheelFlaw>(Line::Flaws, wheel.flaws);
    for (const ElfMember& elf : wheel.elfs) write_elf(elf);
    for (const PythonFile& file : wheel.python) write(Line::Python, file);
  }

 private:
  static MemberRow row_of(const MemberFacts& member) {
    const auto& [path, size, packed_size, crc32, unix_mode, sha256, foreign] = member;
    return {path.text(), size, packed_size, crc32, unix_mode, sha256, foreign};
  }

  void write_elf(const ElfMember& elf) {
    const TextFacts& texts = elf.facts.texts;
    ElfCounts counts{.libraries = texts.libraries.size(),
                     .versions = texts.versions.size(),
                     .build_paths = texts.build_paths.size()};
    if (const auto& dynamic = elf.facts.dynamic) {
      counts.imports = dynamic->imports.size();
      counts.exports = dynamic->exports.size();
      counts.references = dynamic->references.size();
    }
    write(Line::Elf, elf, counts);
    list<std::string_view>(Line::Libraries, texts.libraries);
    list<std::string_view>(Line::Versions, texts.versions);
    list<std::string_view>(Line::BuildPaths, texts.build_paths);
    if (!elf.facts.dynamic) return;
    symbols<Import>(Line::Imports, elf.facts.dynamic->imports);
    symbols<Export>(Line::Exports, elf.facts.dynamic->exports);
    std::span<const Reference> left = elf.facts.dynamic->references;
    while (!left.empty()) write(Line::References, columns_of(part(left, symbols_a_line)));
  }

  template <class T>
  static std::span<const T> part(std::span<const T>& left, std::size_t max) {
    const auto first = left.first(std::min(left.size(), max));
    left = left.subspan(first.size());
    return first;
  }
  template <class T>
  void list(Line line, std::span<const T> left) {
    while (!left.empty()) {
      const auto first = part(left, items_a_line);
      write(line, std::vector<T>(first.begin(), first.end()));
    }
  }
  template <class Symbol>
  void symbols(Line line, std::span<const Symbol> left) {
    while (!left.empty()) {
      std::size_t count = 0;
      for (std::size_t bytes = 0; count < std::min(left.size(), symbols_a_line) && bytes < name_bytes_a_line; ++count)
        bytes += left[count].name.size();
      write(line, columns_of(part(left, count), names_));
    }
  }

  template <class... Parts>
  void write(Line line, const Parts&... parts) {
    text_.clear();
    JsonWriter form(text_);
    form.line(name_in(line_words, line), parts...);
    line_(text_);
  }

  const std::function<void(std::string_view)>& line_;
  std::string text_, names_;
};

}  // namespace

std::string header_line(const CacheHeader& header) {
  std::string out;
  Writer([&](std::string_view line) { out = line; }).header(header);
  return out;
}

void write_lines(const CacheHeader& header, const WheelFacts& wheel,
                 const std::function<void(std::string_view)>& line) {
  Writer writer(line);
  writer.header(header);
  writer.wheel(wheel);
}

}  // namespace wheelcheck::facts
