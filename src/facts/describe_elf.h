// The description of ElfFacts for the cache, field by field (facts/json_form.h). If a struct gets a new field, this
// file does not compile until the field is added here.
#pragma once

#include <cstdint>
#include <vector>

#include "facts/cache_format_words.h"
#include "facts/json_form.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::facts {

template <class Form>
void describe(Form& form, Of<Form, Flaw>& flaw) {
  auto& [area, fatal, reason] = flaw;
  form.word("area", area, enum_names<ElfArea>);
  form("fatal", fatal);
  form("reason", reason);
}

template <class Form>
void describe(Form& form, Of<Form, VersionNeed>& need) {
  auto& [library, version, index, weak] = need;
  form("library", library);
  form("version", version);
  form("index", index);
  form("weak", weak);
}

template <class Form>
void describe(Form& form, Of<Form, VersionDefinition>& definition) {
  auto& [version, index, weak] = definition;
  form("version", version);
  form("index", index);
  form("weak", weak);
}

template <class Form>
void describe(Form& form, Of<Form, SearchPath>& search) {
  auto& [rpath, runpath] = search;
  form("rpath", rpath);
  form("runpath", runpath);
}

template <class Form>
void describe(Form& form, Of<Form, LoaderFlags>& flags) {
  auto& [symbolic, bind_now, text_relocations, static_tls, global, nodelete, noopen, pie, relr, read_only] = flags;
  form("symbolic", symbolic);
  form("bind_now", bind_now);
  form("text_relocations", text_relocations);
  form("static_tls", static_tls);
  form("global", global);
  form("nodelete", nodelete);
  form("noopen", noopen);
  form("pie", pie);
  form("relr", relr);
  form("read_only", read_only);
}

// Imports, exports and references have lines of their own (facts/columns.h).
template <class Form>
void describe(Form& form, Of<Form, DynamicFacts>& dynamic) {
  auto& [soname, needed, filters, auxiliaries, search, flags, needs, provides, imports, exports, references, dropped,
         symbol_count, static_tls_relocations, own_static_tls_relocations, own_tls_descriptors] = dynamic;
  form("soname", soname);
  form("needed", needed);
  form("filters", filters);
  form("auxiliaries", auxiliaries);
  form("search", search);
  form("flags", flags);
  form("needs", needs);
  form("provides", provides);
  form("symbol_count", symbol_count);
  form("static_tls_relocations", static_tls_relocations);
  form("own_static_tls_relocations", own_static_tls_relocations);
  form("own_tls_descriptors", own_tls_descriptors);
}

// The lists have lines of their own.
template <class Form>
void describe(Form& form, Of<Form, TextFacts>& texts) {
  auto& [libraries, versions, build_paths, cut, interfaces] = texts;
  form("cut", cut);
}

template <class Form>
void describe(Form& form, Of<Form, DeviceImage>& image) {
  auto& [kind, target, count, bytes] = image;
  form.word("kind", kind, enum_names<DeviceImage::Kind>);
  form("target", target);
  form("count", count);
  form("bytes", bytes);
}

template <class Form>
void describe(Form& form, Of<Form, DeviceCode>& device) {
  auto& [images, bytes] = device;
  form("images", images);
  form("bytes", bytes);
}

template <class Form>
void describe(Form& form, Of<Form, LoaderCall>& call) {
  auto& [function, name, flags, at_load] = call;
  form.word("function", function, enum_names<LoaderCall::Function>);
  form("name", name);
  form("flags", flags);
  form("at_load", at_load);
}

template <class Form>
void describe(Form& form, Of<Form, StartupInstruction>& startup) {
  auto& [x86_level, address, entry] = startup;
  form("x86_level", x86_level);
  form("address", address);
  form("entry", entry);
}

template <class Form>
void describe(Form& form, Of<Form, VectorCode>& code) {
  auto& [x86_level, count, address, function] = code;
  form("x86_level", x86_level);
  form("count", count);
  form("address", address);
  form("function", function);
}

template <class Form>
void describe(Form& form, Of<Form, SectionFacts>& sections) {
  auto& [comments, marches, debug_bytes, symbol_table] = sections;
  form("comments", comments);
  form("marches", marches);
  form("debug_bytes", debug_bytes);
  form("symbol_table", symbol_table);
}

template <class Form>
void describe(Form& form, Of<Form, Segments>& segments) {
  auto& [executable_stack, writable_code, relro, smallest_load_align, misaligned_load, tls_size, tls_align] = segments;
  form("executable_stack", executable_stack);
  form("writable_code", writable_code);
  form.word("relro", relro, enum_names<Relro>);
  form("smallest_load_align", smallest_load_align);
  form("misaligned_load", misaligned_load);
  form("tls_size", tls_size);
  form("tls_align", tls_align);
}

template <class Form>
void describe(Form& form, Of<Form, AbiNote>& note) {
  auto& [system, major, minor, patch] = note;
  form("system", system);
  form("major", major);
  form("minor", minor);
  form("patch", patch);
}

template <class Form>
void describe(Form& form, Of<Form, ElfFacts>& facts) {
  auto& [arch, libc, kind, use, machine, machine_name, bits, little_endian, os_abi, flags, has_sections, debug_only,
         interpreter, dynamic, build_id, x86_isa_needed, x86_isa_used, x86_features, abi_note, segments, sections,
         texts, device, gil_slot, loader_calls, startup, vector_code, flaws, strings, symbol_names] = facts;
  form.word("arch", arch, arch_words);
  form.word("libc", libc, libc_words);
  form.word("kind", kind, kind_words);
  form.word("use", use, enum_names<MachineUse>);
  form("machine", machine);
  form("machine_name", machine_name);
  form("bits", bits);
  form.unless("little_endian", little_endian, true);
  form("os_abi", os_abi);
  form("flags", flags);
  form.unless("has_sections", has_sections, true);
  form("debug_only", debug_only);
  form("interpreter", interpreter);
  form("dynamic", dynamic);
  form("build_id", build_id);
  form("x86_isa_needed", x86_isa_needed);
  form("x86_isa_used", x86_isa_used);
  form("x86_features", x86_features);
  form("abi_note", abi_note);
  form("segments", segments);
  form("sections", sections);
  form("texts", texts);
  form("device", device);
  form("gil_slot", gil_slot);
  form("loader_calls", loader_calls);
  form("startup", startup);
  form("vector_code", vector_code);
  form("flaws", flaws);
}

}  // namespace wheelcheck::facts
