// The description of WheelFacts and PythonFile for the cache, field by field (facts/json_form.h). If a struct gets a
// new field, this file does not compile until the field is added here.
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
  form("distribution", distribution);
  form("version", version);
  form("build", build);
  form("python", python);
  form("abi", abi);
  form("platforms", platforms);
  form("variant", variant);
}

template <class Form>
void describe(Form& form, Of<Form, WheelFile>& file) {
  auto& [wheel_version, root_is_purelib, tags] = file;
  form("wheel_version", wheel_version);
  form("root_is_purelib", root_is_purelib);
  form("tags", tags);
}

template <class Form>
void describe(Form& form, Of<Form, Metadata>& metadata) {
  auto& [name, version, requires_python, requires_dist, provides_extra, licenses, license_files] = metadata;
  form("name", name);
  form("version", version);
  form("requires_python", requires_python);
  form("requires_dist", requires_dist);
  form("provides_extra", provides_extra);
  form("licenses", licenses);
  form("license_files", license_files);
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
  form.word("area", area, enum_names<WheelArea>);
  form("member", member);
  form("subject", subject);
  form("reason", reason);
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
  form("module", module);
  form("python_major", python_major);
  form("stable_abi", stable_abi);
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
  form("member", member.value);
  form("role", role);
  form.word("libc", libc, libc_words);
  form("installed", installed);
  form("disguised", disguised);
  form("in_purelib", in_purelib);
  form("facts", facts);
}

// --- Python -------------------------------------------------------------------------------------------------------
template <class Form>
void describe(Form& form, Of<Form, PythonCall>& call) {
  auto& [kind, line, library, flags, global, reach, text] = call;
  form.word("call", kind, enum_names<LoadCall>);
  form("line", line);
  form("library", library);
  form("flags", flags);
  form("global", global);
  form.word("reach", reach, enum_names<Reach>);
  form("text", text);
}

template <class Form>
void describe(Form& form, Of<Form, PythonName>& name) {
  auto& [text, line] = name;
  form("text", text);
  form("line", line);
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
void describe(Form& form, Of<Form, PythonFile>& file) {
  auto& [member, calls, broken, cut, names, units, events, conditions, variables, descriptors] = file;
  form("member", member.value);
  form("calls", calls);
  form("broken", broken);
  form("cut", cut);
  form("names", names);
  form("units", units);
  form("events", events);
  form("conditions", conditions);
  form("variables", variables);
  form("descriptors", descriptors);
}

}  // namespace wheelcheck::facts
