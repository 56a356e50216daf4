// Writes the text directly without a JSON document, because the line layout is made for diff.
#include <fmt/format.h>

#include <iterator>

#include "facts/process_facts.h"
#include "facts/words.h"

namespace wheelcheck::facts {
namespace {

class FactsWriter {
 public:
  std::string run(std::string_view about, std::span<const process::File> files) {
    out_ = "{\"about\": ";
    text(about);
    out_ += ", \"files\": [";
    bool first = true;
    for (const process::File& file : files) {
      if (file.facts == nullptr) continue;
      out_ += first ? "\n" : ",\n";
      first = false;
      write_file(file);
    }
    return std::move(out_) + "\n]}\n";
  }

 private:
  // Each byte is written as the character with the same number, so that names that are not UTF-8 are restored exactly.
  void text(std::string_view bytes) {
    out_ += '"';
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\')
        out_ += c;
      else
        fmt::format_to(std::back_inserter(out_), "\\u{:04x}", byte);
    }
    out_ += '"';
  }
  template <class Number>
  void number(Number value) {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
  void key(std::string_view name) {
    out_ += separator_;
    separator_ = ", ";
    text(name);
    out_ += ": ";
  }
  template <class Range>
  void texts(std::string_view name, const Range& range) {
    if (range.empty()) return;
    key(name);
    char before = '[';
    for (const auto& item : range) {
      out_ += before;
      before = ',';
      text(item);
    }
    out_ += ']';
  }
  // An array with one line per item; nothing for an empty range.
  template <class Range, class Line>
  void rows(std::string_view name, const Range& range, const Line& line) {
    if (range.empty()) return;
    separator_ = ",\n  ";
    key(name);
    out_ += '[';
    const char* before = "\n   [";
    for (const auto& item : range) {
      out_ += before;
      before = ",\n   [";
      line(item);
      out_ += ']';
    }
    out_ += ']';
  }

  void write_file(const process::File& file) {
    const ElfFacts& facts = *file.facts;
    out_ += " {";
    separator_ = "";
    key("path");
    text(file.path);
    texts("aliases", file.aliases);
    separator_ = ",\n  ";
    key("kind");
    text(name_in(kind_words, facts.kind));
    key("machine");
    number(facts.machine);
    key("bits");
    number(facts.bits);
    if (facts.arch != Arch::Other) key("arch"), text(name_of(facts.arch));
    if (!facts.little_endian) key("big_endian"), out_ += "true";
    if (facts.os_abi != 0) key("os_abi"), number(facts.os_abi);
    if (facts.debug_only) key("debug_only"), out_ += "true";
    if (facts.interpreter) key("interpreter"), text(*facts.interpreter);
    if (facts.build_id) key("build_id"), text(*facts.build_id);
    if (facts.segments.tls_size != 0) {
      key("tls");
      fmt::format_to(std::back_inserter(out_), "[{},{}]", facts.segments.tls_size, facts.segments.tls_align);
    }
    if (facts.dynamic) {
      separator_ = ",\n  ";
      key("dynamic");
      write_dynamic(*facts.dynamic);
    }
    out_ += '}';
  }

  void write_dynamic(const DynamicFacts& facts) {
    out_ += '{';
    separator_ = "";
    key("symbol_count");
    number(facts.symbol_count);
    if (facts.static_tls_relocations != 0) key("static_tls_relocations"), number(facts.static_tls_relocations);
    if (facts.soname) key("soname"), text(*facts.soname);
    texts("needed", facts.needed);
    texts("filters", facts.filters);
    texts("auxiliaries", facts.auxiliaries);
    texts("rpath", facts.search.rpath);
    texts("runpath", facts.search.runpath);
    std::vector<std::string_view> flags;
    for (const auto& [flag, word] : flag_words)
      if (facts.flags.*flag) flags.push_back(word);
    texts("flags", flags);
    rows("needs", facts.needs, [&](const VersionNeed& need) {
      text(need.library);
      out_ += ',';
      text(need.version);
      fmt::format_to(std::back_inserter(out_), ",{}{}", need.index, need.weak ? ",\"weak\"" : "");
    });
    rows("provides", facts.provides, [&](const VersionDefinition& version) {
      text(version.version);
      fmt::format_to(std::back_inserter(out_), ",{}{}", version.index, version.weak ? ",\"weak\"" : "");
    });
    rows("imports", facts.imports, [&](const Import& symbol) { write_import(symbol); });
    rows("exports", facts.exports, [&](const Export& symbol) { write_export(symbol); });
    write_references(facts.references);
    out_ += '}';
  }

  void word(std::string_view text) {
    if (!text.empty() && !words_.empty()) words_ += ' ';
    words_ += text;
  }
  // Writes [name, version need, words].
  void write_import(const Import& symbol) {
    words_.clear();
    word(name_in(symbol_words, symbol.kind));
    word(symbol.weak ? name_in(binding_words, Binding::Weak) : "");
    word(name_in(visibility_words, symbol.visibility));
    word(symbol.canonical ? canonical_word : "");
    text(symbol.name);
    if (symbol.need)
      fmt::format_to(std::back_inserter(out_), ",{}", symbol.need->value);
    else if (!words_.empty())
      out_ += ",null";
    if (!words_.empty()) fmt::format_to(std::back_inserter(out_), ",\"{}\"", words_);
  }
  // Writes [name, size, version, words, version need of a copy].
  void write_export(const Export& symbol) {
    words_.clear();
    word(name_in(symbol_words, symbol.kind));
    word(name_in(binding_words, symbol.binding));
    word(name_in(visibility_words, symbol.visibility));
    word(symbol.default_version ? "" : old_word);
    text(symbol.name);
    fmt::format_to(std::back_inserter(out_), ",{}", symbol.size);
    const std::optional<NeedIndex> copied = symbol.copied_version;
    const bool more = !words_.empty() || copied;
    if (symbol.version)
      fmt::format_to(std::back_inserter(out_), ",{}", *symbol.version);
    else if (more)
      out_ += ",null";
    if (more) fmt::format_to(std::back_inserter(out_), ",\"{}\"", words_);
    if (copied) fmt::format_to(std::back_inserter(out_), ",{}", copied->value);
  }
  // Writes runs of the same kind: ["plt lazy", 3, -1] is a reference to import 3 and one to export 0.
  void write_references(const std::vector<Reference>& references) {
    std::vector<std::span<const Reference>> runs;
    for (std::size_t from = 0, to = 0; from < references.size(); from = to) {
      const Reference& first = references[from];
      while (to < references.size() && references[to].kind == first.kind &&
             references[to].at_first_call == first.at_first_call)
        ++to;
      runs.push_back(std::span(references).subspan(from, to - from));
    }
    rows("references", runs, [&](std::span<const Reference> run) {
      fmt::format_to(std::back_inserter(out_), "\"{}{}{}\"", name_in(look_up_words, run.front().kind),
                     run.front().at_first_call ? " " : "", run.front().at_first_call ? lazy_word : "");
      for (const Reference& reference : run) {
        out_ += reference.own ? ",-" : ",";
        number(reference.own ? std::uint64_t{reference.symbol} + 1 : reference.symbol);
      }
    });
  }

  std::string out_, words_;
  std::string_view separator_;
};

}  // namespace

std::string write(std::string_view about, std::span<const process::File> files) {
  return FactsWriter().run(about, files);
}

}  // namespace wheelcheck::facts
