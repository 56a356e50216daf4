// The description of WheelFacts and PythonFile, field by field (facts/json_form.h), in the order of reports. If a
// struct gets a new field, this file does not compile until the field is added here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "facts/cache_format_words.h"
#include "facts/describe_elf.h"
#include "facts/json_form.h"
#include "model/enum_names.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::facts {

template <class Form>
void describe(Form& form, Of<Form, Limits>& limits) {
  auto& [member_bytes, total_bytes, members, ratio, ratio_floor, name_bytes, part_bytes, depth, record_bytes,
         metadata_bytes, wheel_bytes, symbols, dynamic_entries, version_records, note_bytes, library_names, texts,
         source_bytes, hashes, imports] = limits;
  form("member_bytes", member_bytes);
  form("total_bytes", total_bytes);
  form("members", members);
  form("ratio", ratio);
  form("ratio_floor", ratio_floor);
  form("name_bytes", name_bytes);
  form("part_bytes", part_bytes);
  form("depth", depth);
  form("record_bytes", record_bytes);
  form("metadata_bytes", metadata_bytes);
  form("wheel_bytes", wheel_bytes);
  form("symbols", symbols);
  form("dynamic_entries", dynamic_entries);
  form("version_records", version_records);
  form("note_bytes", note_bytes);
  form("library_names", library_names);
  form("texts", texts);
  form("source_bytes", source_bytes);
  form("hashes", hashes);
  form("imports", imports);
}

template <class Form>
void describe(Form& form, Of<Form, WheelName>& name) {
  auto& [distribution, version, build, python, abi, platforms, variant] = name;
  form.about("wheel_name", "The file name in parts (PEP 427).");
  form("distribution", distribution, "as written");
  form("version", version, "as written");
  form("build", build, "empty if there is none");
  form("python", python, "Python tags");
  form("abi", abi, "ABI tags");
  form("platforms", platforms, "platform tags");
  form("variant", variant, "label of PEP 825, empty if there is none");
}

template <class Form>
void describe(Form& form, Of<Form, WheelFile>& file) {
  auto& [wheel_version, root_is_purelib, tags] = file;
  form.about("wheel_file", "WHEEL.");
  form("wheel_version", wheel_version, "Wheel-Version");
  form("root_is_purelib", root_is_purelib, "Root-Is-Purelib");
  form("tags", tags, "each as written");
}

template <class Form>
void describe(Form& form, Of<Form, Metadata>& metadata) {
  auto& [name, version, requires_python, requires_dist, provides_extra, licenses, license_files] = metadata;
  form.about("metadata", "METADATA.");
  form("name", name, "Name");
  form("version", version, "Version");
  form("requires_python", requires_python, "Requires-Python");
  form("requires_dist", requires_dist, "each as written");
  form("provides_extra", provides_extra, "each as written");
  form("licenses", licenses, "License-Expression, License and the License classifiers");
  form("license_files", license_files, "each as written");
}

template <class Form>
void describe(Form& form, Of<Form, RecordRow>& row) {
  auto& [path, hash, size] = row;
  form("path", path);
  form("hash", hash);
  form("size", size);
}

template <class Form>
void describe(Form& form, Of<Form, WheelFlaw>& flaw) {
  auto& [area, member, subject, reason, minor] = flaw;
  form.about("wheel_flaw", "A defect of the archive or its metadata.");
  form.word("area", area, enum_names<WheelArea>, "the part of the wheel");
  form("member", member);
  form.derived("member");
  form("subject", subject, "the path or row as written");
  form("reason", reason, "what is wrong");
  form("minor", minor);
}

template <class Form>
void describe(Form& form, Of<Form, SbomPart>& part) {
  auto& [name, purl, is_file] = part;
  form("name", name);
  form("purl", purl);
  form("is_file", is_file);
}

template <class Form>
void describe(Form& form, Of<Form, Sbom>& sbom) {
  auto& [member, tool, parts] = sbom;
  form("member", member.value);
  form("tool", tool);
  form("parts", parts);
}

template <class Form>
void describe(Form& form, Of<Form, ScriptEntry>& script) {
  auto& [name, object] = script;
  form("name", name);
  form("object", object);
}

template <class Form>
void describe(Form& form, Of<Form, ScriptLine>& script) {
  auto& [member, interpreter, carriage_return] = script;
  form("member", member.value);
  form("interpreter", interpreter);
  form("carriage_return", carriage_return);
}

// MemberFacts with a path that is not parsed yet.
struct MemberRow {
  std::string path;
  std::uint64_t size = 0, packed_size = 0;
  std::uint32_t crc32 = 0, unix_mode = 0;
  std::string sha256;
  ForeignKind foreign = ForeignKind::None;
};
template <class Form>
void describe(Form& form, Of<Form, MemberRow>& row) {
  auto& [path, size, packed_size, crc32, unix_mode, sha256, foreign] = row;
  form("path", path);
  form("size", size);
  form("packed_size", packed_size);
  form("crc32", crc32);
  form("unix_mode", unix_mode);
  form("sha256", sha256);
  form.word_unless("foreign", foreign, enum_names<ForeignKind>, ForeignKind::None);
}

// --- ElfRole and ElfMember ----------------------------------------------------------------------------------------
template <class Form>
void describe(Form& form, Of<Form, ExtensionModule>& role) {
  auto& [module, python_major, stable_abi] = role;
  form.about("module", "The module that Python imports.");
  form("name", module, "dotted");
  form("python_major", python_major, "from its init symbol");
  form("stable_abi", stable_abi, ".abi3.so or .abi3t.so");
}
template <class Form>
void describe(Form& form, Of<Form, ForeignCode>& role) {
  auto& [what] = role;
  form("what", what);
}
template <class Form>
void describe(Form&, Of<Form, BundledLibrary>&) {}
template <class Form>
void describe(Form&, Of<Form, PlainLibrary>&) {}
template <class Form>
void describe(Form&, Of<Form, Program>&) {}
template <class Form>
void describe(Form&, Of<Form, BrokenElf>&) {}

// Exactly one of the alternatives is present.
template <class Form>
void describe(Form& form, Of<Form, ElfRole>& role) {
  bool found = Form::writes;
  const auto alternative = [&]<class Role>(std::string_view key, std::type_identity<Role>) {
    std::optional<Role> value;
    if constexpr (Form::writes) {
      if (const Role* const held = std::get_if<Role>(&role)) value = *held;
    }
    form(key, value);
    if constexpr (!Form::writes) {
      if (value) {
        if (std::exchange(found, true)) form.fail();
        role = std::move(*value);
      }
    }
  };
  alternative("extension_module", std::type_identity<ExtensionModule>());
  alternative("grafted_library", std::type_identity<BundledLibrary>());
  alternative("plain_library", std::type_identity<PlainLibrary>());
  alternative("program", std::type_identity<Program>());
  alternative("foreign_code", std::type_identity<ForeignCode>());
  alternative("broken", std::type_identity<BrokenElf>());
  static_assert(std::variant_size_v<ElfRole> == 6);
  if constexpr (!Form::writes)
    if (!found) form.fail();
}

template <class Form>
void describe(Form& form, Of<Form, ElfMember>& elf) {
  auto& [member, role, libc, installed, disguised, in_purelib, facts] = elf;
  form.about("elf_file", "One member with the ELF magic.");
  form("member", member.value);
  form.derived("member");
  form("installed", installed, "path below the installation prefix");
  form("role", role);
  form.derived("role");
  form.derived("module");
  form.derived("root");
  form("disguised", disguised, "it has the name of a text or source file");
  form("in_purelib", in_purelib, "below *.data/purelib/");
  form.word("libc", libc, libc_words);
  form.inlined("facts", facts);
}

// --- Python -------------------------------------------------------------------------------------------------------
template <class Form>
void describe(Form& form, Of<Form, PythonCall>& call) {
  auto& [kind, line, library, flags, global, reach, text] = call;
  form.about("python_call", "One call.");
  form.word("call", kind, enum_names<LoadCall>, "this call, or an equivalent one");
  form("line", line, "starts at 1");
  form("library", library, "* replaces the unknown parts");
  form("flags", flags, "RTLD_* bits, if known");
  form("global", global, "the flags contain RTLD_GLOBAL");
  form.word("reach", reach, enum_names<Reach>, "how certain it is that importing the package executes it");
  form("text", text, "as written, at most 200 bytes");
}

template <class Form>
void describe(Form& form, Of<Form, PythonName>& name) {
  auto& [text, line] = name;
  form.about("python_name", "A string that names a shared library.");
  form("text", text, "* replaces what is filled in");
  form("line", line, "starts at 1");
}

template <class Form>
void describe(Form& form, Of<Form, PythonUnit>& unit) {
  auto& [name, first, count] = unit;
  form("name", name);
  form("first", first);
  form("count", count);
}

template <class Form>
void describe(Form& form, Of<Form, PythonEvent>& event) {
  auto& [action, reach, line, condition, attempt, target, call, bits, known, name, names] = event;
  form.word_unless("action", action, enum_names<PythonAction>, PythonAction::Import);
  form.word_unless("reach", reach, enum_names<Reach>, Reach::Certain);
  form("line", line);
  form.unless("condition", condition, no_python_index);
  form.unless("attempt", attempt, no_python_index);
  form.unless("target", target, no_python_index);
  form.unless("call", call, no_python_index);
  form("bits", bits);
  form("known", known);
  form("name", name);
  form("names", names);
}

template <class Form>
void describe(Form& form, Of<Form, PythonCondition>& condition) {
  auto& [attempt, succeeds, outer] = condition;
  form("attempt", attempt);
  form("succeeds", succeeds);
  form.unless("outer", outer, no_python_index);
}

template <class Form>
void describe(Form& form, Of<Form, PythonVariable>& variable) {
  auto& [name, line, reach, text] = variable;
  form("name", name);
  form("line", line);
  form.word("reach", reach, enum_names<Reach>);
  form("text", text);
}

template <class Form>
void describe(Form& form, Of<Form, PythonDescriptor>& descriptor) {
  auto& [file, names, digest, line, since, before] = descriptor;
  form("file", file);
  form("names", names);
  form("digest", digest);
  form("line", line);
  form("since", since);
  form("before", before);
}

template <class Form>
void describe(Form& form, Of<Form, PythonRefusal>& refusal) {
  auto& [line, condition, text] = refusal;
  form("line", line);
  form("condition", condition);
  form("text", text);
}

template <class Form>
void describe(Form& form, Of<Form, PythonFile>& file) {
  auto& [member, calls, broken, cut, names, units, events, conditions, variables, descriptors, refusals] = file;
  form.about("python_file", "Python code that loads libraries.");
  form("member", member.value);
  form.derived("member");
  form("broken", broken, "the parser met errors");
  form.word("cut", cut, enum_names<PythonCut>, "why the file was not read completely");
  form.first("calls", "more_calls", calls, "by line");
  form.first("names", "more_names", names, "by line");
  form("units", units);
  form("events", events);
  form("conditions", conditions);
  form("variables", variables);
  form("descriptors", descriptors);
  form("refusals", refusals);
}

}  // namespace wheelcheck::facts
