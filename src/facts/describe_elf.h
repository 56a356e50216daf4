// The description of ElfFacts, field by field (facts/json_form.h), in the order of reports. If a struct gets a new
// field, this file does not compile until the field is added here.
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
  form.about("elf_flaw", "A part of an ELF file that could not be read, or that readers interpret differently.");
  form.word("area", area, enum_names<ElfArea>, "the part of the file");
  form("fatal", fatal, "the loader refuses the file, or binds it wrongly, because of it");
  form("reason", reason, "what is wrong");
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
  form.about("version_definition", "A version that the file defines.");
  form("version", version, "name of the version");
  form("index", index);
  form("weak", weak, "VER_FLG_WEAK");
}

template <class Form>
void describe(Form& form, Of<Form, LoaderFlags>& flags) {
  auto& [symbolic, bind_now, text_relocations, static_tls, global, nodelete, noopen, pie, relr, read_only] = flags;
  form.about("dynamic_flags", "Flags for the loader.");
  form("symbolic", symbolic, "DT_SYMBOLIC or DF_SYMBOLIC");
  form("bind_now", bind_now, "DT_BIND_NOW, DF_BIND_NOW or DF_1_NOW");
  form("text_relocations", text_relocations, "DT_TEXTREL or DF_TEXTREL");
  form("static_tls", static_tls, "DF_STATIC_TLS");
  form("global", global, "DF_1_GLOBAL");
  form("nodelete", nodelete, "DF_1_NODELETE");
  form("noopen", noopen, "DF_1_NOOPEN");
  form("pie", pie, "DF_1_PIE");
  form("relr", relr, "DT_RELR");
  form("read_only", read_only, "the dynamic section is read-only memory");
}

// Imports, exports and references have lines of their own (facts/columns.h).
template <class Form>
void describe(Form& form, Of<Form, DynamicFacts>& dynamic) {
  auto& [soname, needed, filters, auxiliaries, search, flags, needs, provides, imports, exports, exports_at_zero,
         references, dropped, symbol_count, static_tls_relocations, own_static_tls_relocations, own_tls_descriptors,
         types_not_in_musl] = dynamic;
  auto& [rpath, runpath] = search;
  form.about("dynamic", "The content of PT_DYNAMIC.");
  form("soname", soname, "DT_SONAME");
  form("needed", needed);
  form.derived("needed");
  form("filters", filters, "DT_FILTER");
  form("auxiliaries", auxiliaries, "DT_AUXILIARY");
  form("rpath", rpath, "elements of DT_RPATH");
  form("runpath", runpath, "elements of DT_RUNPATH");
  form("flags", flags, shown);
  form("needs", needs);
  form.derived("needs");
  form("provides", provides, "version definitions, without the base definition");
  form("symbols", symbol_count, "entries of the dynamic symbol table");
  form.derived("imports");
  form.derived("weak_imports");
  form.derived("exports");
  form("exports_at_zero", exports_at_zero);
  form("static_tls_relocations", static_tls_relocations, "relocations that require space in the static TLS block");
  form("own_static_tls_relocations", own_static_tls_relocations,
       "of these, relocations for variables of the file itself");
  form("own_tls_descriptors", own_tls_descriptors, "TLS descriptors of the file's own variables");
  form("types_not_in_musl", types_not_in_musl);
}

template <class Form>
void describe(Form& form, Of<Form, VersionVariable>& variable) {
  auto& [name, value] = variable;
  form("name", name);
  form("value", value);
}

// The long lists have lines of their own.
template <class Form>
void describe(Form& form, Of<Form, TextFacts>& texts) {
  auto& [libraries, versions, version_names, build_paths, certificate_files, cut] = texts;
  form.about("texts", "Strings of the read-only data.");
  form("version_names", version_names);
  form("certificate_files", certificate_files, "files of certificate authorities at fixed places");
  if constexpr (Form::in_reports) {
    form("versions", versions.size() + version_names.size(), "strings with a version or a date");
    form("build_paths", build_paths.size(), "paths below a home or build directory");
  }
  form("cut", cut, "the file has more strings than the limit");
  if constexpr (Form::in_reports) form.first("libraries", "more_libraries", libraries, "names of shared libraries");
}

template <class Form>
void describe(Form& form, Of<Form, CythonFunction>& function) {
  auto& [name, signature] = function;
  form("name", name);
  form("signature", signature);
}

template <class Form>
void describe(Form& form, Of<Form, DefinedType>& type) {
  auto& [name, size, item_size] = type;
  form("name", name);
  form("size", size);
  form("item_size", item_size);
}

template <class Form>
void describe(Form& form, Of<Form, ImportedType>& type) {
  auto& [name, size, exact, warns] = type;
  form("name", name);
  form("size", size);
  form("exact", exact);
  form("warns", warns);
}

template <class Form>
void describe(Form& form, Of<Form, InterfaceFacts>& facts) {
  auto& [numpy_messages, numpy_modules, numpy_feature, pybind11_ids, nanobind_ids, pybind11_types, pybind11_status,
         eigen_matrices, module_slots, cython_messages, cython_exports, cython_imports, cython_modules, defined_types,
         imported_types, jemalloc_page] = facts;
  form("numpy_messages", numpy_messages);
  form("numpy_modules", numpy_modules);
  form("numpy_feature", numpy_feature);
  form("pybind11_ids", pybind11_ids);
  form("nanobind_ids", nanobind_ids);
  form("pybind11_types", pybind11_types);
  form("pybind11_status", pybind11_status);
  form("eigen_matrices", eigen_matrices);
  form("module_slots", module_slots);
  form("cython_messages", cython_messages);
  form("cython_exports", cython_exports);
  form("cython_imports", cython_imports);
  form("cython_modules", cython_modules);
  form("defined_types", defined_types);
  form("imported_types", imported_types);
  form("jemalloc_page", jemalloc_page);
}

template <class Form>
void describe(Form& form, Of<Form, DeviceImage>& image) {
  auto& [kind, target, count, bytes, unpacked] = image;
  form.about("device_image", "Images of one kind and target.");
  form.word("kind", kind, enum_names<DeviceImage::Kind>, "the format of the code");
  form("target", target, "sm_90a, compute_80, gfx90a");
  form("count", count, "images");
  form("bytes", bytes, "as stored");
  form("unpacked", unpacked, "after decompression, as the headers say");
}

template <class Form>
void describe(Form& form, Of<Form, DeviceCode>& device) {
  auto& [images, bytes] = device;
  form.about("device_code", "Code for GPUs in the file.");
  form("bytes", bytes, "size of the sections that contain it");
  form.first("images", "more_images", images, "by kind, then by target");
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
  auto& [x86_level, address, entry, function, instruction, feature, certain] = startup;
  form("x86_level", x86_level);
  form("address", address);
  form("entry", entry);
  form("function", function);
  form("instruction", instruction);
  form("feature", feature);
  form("certain", certain);
}

template <class Form>
void describe(Form& form, Of<Form, VectorCode>& code) {
  auto& [x86_level, count, address, function, cut] = code;
  form("x86_level", x86_level);
  form("count", count);
  form("address", address);
  form("function", function);
  form("cut", cut);
}

template <class Form>
void describe(Form& form, Of<Form, SectionSize>& section) {
  auto& [name, bytes] = section;
  form("name", name);
  form("bytes", bytes);
}

template <class Form>
void describe(Form& form, Of<Form, SectionFacts>& sections) {
  auto& [comments, marches, debug_bytes, symbol_bytes, sizes] = sections;
  form.about("sections", "Facts that only section headers contain; empty without section headers.");
  form("debug_bytes", debug_bytes, "of debug sections, as stored");
  form("symbol_bytes", symbol_bytes, "of .symtab and .strtab, as stored");
  form.first("comments", "more_comments", comments, ".comment, each text once");
  form("marches", marches);
  form("sizes", sizes);
}

template <class Form>
void describe(Form& form, Of<Form, Segments>& segments) {
  auto& [executable_stack, writable_code, relro, smallest_load_align, misaligned_load, largest_page, tls_size,
         tls_align] = segments;
  form.about("segments", "Facts from the program headers.");
  form("executable_stack", executable_stack, "PT_GNU_STACK; null if there is none");
  form("writable_code", writable_code, "a PT_LOAD that is writable and executable");
  form.word("relro", relro, enum_names<Relro>, "PT_GNU_RELRO and BIND_NOW");
  form("smallest_load_align", smallest_load_align, "bytes");
  form("misaligned_load", misaligned_load, "offset and address differ modulo the alignment");
  form("largest_page", largest_page);
  form("tls_size", tls_size);
  form("tls_align", tls_align);
}

template <class Form>
void describe(Form& form, Of<Form, AbiNote>& note) {
  auto& [system, major, minor, patch] = note;
  form.about("abi_note", "NT_GNU_ABI_TAG: the system and the oldest kernel that the file was built for.");
  form("system", system, "0 is Linux");
  form("major", major);
  form("minor", minor);
  form("patch", patch);
  form.derived("kernel");
}

// GNU_PROPERTY_X86_ISA_1_* and GNU_PROPERTY_X86_FEATURE_1_AND: x86-64 psABI, "Program Property".
inline constexpr BitWords<4> x86_isa_words{{{1, "x86-64"}, {2, "x86-64-v2"}, {4, "x86-64-v3"}, {8, "x86-64-v4"}}};
inline constexpr BitWords<2> x86_feature_words{{{1, "ibt"}, {2, "shstk"}}};

// In reports, a part of the ElfMember.
template <class Form>
void describe(Form& form, Of<Form, ElfFacts>& facts) {
  auto& [arch, libc, kind, use, machine, machine_name, bits, little_endian, os_abi, flags, has_sections, debug_only,
         interpreter, dynamic, build_id, x86_isa_needed, x86_isa_used, x86_features, abi_note, segments, sections,
         texts, interfaces, device, gil_slot, loader_calls, startup, startup_cut, vector_code, trampolines, flaws,
         strings, symbol_names] = facts;
  form.word("arch", arch, arch_words, "the machine as in tags");
  form.word("libc", libc, libc_words);
  form.derived("libc");
  form.word("kind", kind, enum_names<ElfKind>, "e_type; a position-independent program is an executable");
  form.word("use", use, enum_names<MachineUse>, "device code is not judged");
  form("machine", machine, "e_machine");
  form("machine_name", machine_name, "in words");
  form("bits", bits, "32 or 64");
  form.unless("little_endian", little_endian, true, "EI_DATA");
  form("os_abi", os_abi, "EI_OSABI");
  form("e_flags", flags, "e_flags");
  form.unless("has_sections", has_sections, true, "the file contains a section table");
  form("debug_only", debug_only, "the file contains only debug information");
  form("interpreter", interpreter, "PT_INTERP");
  form("build_id", build_id, "lower-case hex");
  form.bits("x86_isa_needed", x86_isa_needed, x86_isa_words, "GNU property");
  form.bits("x86_isa_used", x86_isa_used, x86_isa_words, "GNU property");
  form.bits("x86_features", x86_features, x86_feature_words, "GNU property");
  form("abi_note", abi_note, shown);
  form("segments", segments, shown);
  form.derived("versions");
  form("dynamic", dynamic, shown);
  form("flaws", flaws, "what could not be read");
  form.derived("exports");
  form.derived("libraries");
  form.derived("more_libraries");
  form.derived("package");
  form.derived("cxx_abi");
  form("device_code", device, shown);
  form("sections", sections, shown);
  form("texts", texts, shown);
  form("gil_slot", gil_slot, "the data contains what looks like the module slot Py_mod_gil, Py_MOD_GIL_NOT_USED");
  form("interfaces", interfaces);
  form("loader_calls", loader_calls);
  form("startup", startup);
  form("startup_cut", startup_cut);
  form("vector_code", vector_code);
  form("trampolines", trampolines);
}

}  // namespace wheelcheck::facts
