// What a file expects of other packages and of the system (InterfaceFacts), read from machine code and data. Modules of
// Python check the packages that they were compiled for when they are imported. The number that is compared is often
// only in the code. So each reader knows the source of one such check, looks for the instructions that compilers make
// of it, and believes them only if several agree. What the texts of the data alone say is found by elf/texts.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/sections.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

struct CodeCall;

// --- the slots of a module (module_slots.cpp) ---------------------------------------------------------------------

// The numbers of the slots that define a module (CPython Include/moduleobject.h), and those that headers of
// CPython 3.15 give them without an older limited API (Include/slots_generated.h).
inline constexpr std::uint64_t mod_create = 1, mod_exec = 2, mod_multiple_interpreters = 3, mod_gil = 4;
inline constexpr std::uint64_t mod_create_of_3_15 = 84, mod_exec_of_3_15 = 85, mod_gil_of_3_15 = 87;
inline constexpr std::uint64_t max_slot_flags = 7;  // of an array that PyModExport returns (Include/slots.h)

inline bool is_slot_of_3_15(std::uint64_t id) { return id >= mod_create_of_3_15 && id <= 110; }

// True if there is a PyInit_ or PyModExport_ function. Only such a module has slots.
bool exports_module_init(const std::optional<DynamicFacts>& dynamic);

// Searches the writable data for {Py_mod_gil, Py_MOD_GIL_NOT_USED} in an array of PyModuleDef_Slot or PySlot. This is a
// heuristic: any table with the words 4, 1, 0, 0 looks the same. It does not find arrays that are filled in at run
// time, nor PyUnstable_Module_SetGIL, which is an import.
bool has_gil_slot(const File& file, std::span<const FileRange> writable, unsigned bits, bool little_endian);

// Calls `visit` for each offset in bytes[begin, end) at which such a slot may start. `word` is the size of a word in
// bytes; only offsets aligned to it are tested.
void each_slot_mark(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end, std::uint64_t word,
                    bool little_endian, const std::function<void(std::uint64_t)>& visit);

// The slots of a module that its PyInit function writes, as pybind11 3 makes it (InterfaceFacts::module_slots). x86-64,
// files up to max_code_bytes.
std::vector<std::uint32_t> read_code_slots(const File& file, const Image& image, std::span<const Segment> segments,
                                           const DynamicTable& table, const Header& header, const DynamicFacts& facts);

// --- the others, one file each ------------------------------------------------------------------------------------

// NPY_FEATURE_VERSION of a module that was compiled with headers of NumPy before 1.25; of several, the lowest. nullopt:
// the module has no such check, or its code has another form. x86-64 and AArch64.
std::optional<std::uint32_t> read_numpy_feature(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header, const InterfaceFacts& facts);

// The size of an object of a Python type, as far as the readers believe it.
inline constexpr std::uint64_t max_object_size = 1 << 20;
inline bool is_object_size(std::uint64_t size) { return size >= 16 && size <= max_object_size && size % 4 == 0; }

// The types that an extension module defines, with the size of their objects: PyTypeObject and PyType_Spec in its data;
// sorted, each once, names in `pool`. x86-64, files up to max_code_bytes.
std::vector<DefinedType> read_python_types(const File& file, const Image& image, const DynamicTable& table,
                                           const Header& header, StringPool& pool);

// Whether a file may export or import C functions, or import types. checks_sizes: DataTexts::checks_sizes.
bool may_have_cython_capi(const DynamicFacts& facts, bool checks_sizes);

// The C functions that a module of Cython offers to other modules, and the functions and types that it takes from them:
// sets cython_exports, cython_imports, cython_modules and imported_types. Modules of Cython before 3.2, whose code
// names each function with its signature. Newer modules keep them in one compressed text without marks
// where a name begins. calls: StartupCode::calls. The texts are copied into `pool`.
void read_cython_capi(const Image& image, bool checks_sizes, std::span<const CodeCall> calls, InterfaceFacts& facts,
                      StringPool& pool);

// The C++ types that a module registers with pybind11 for all modules of the process: "15gptj_gpt_params", the name of
// the std::type_info; sorted, each once, in `pool`. Not the types that are registered with py::module_local. x86-64,
// files up to max_code_bytes, pybind11 2 (internals v4 and v5).
std::vector<std::string_view> read_pybind11_types(const File& file, const Image& image,
                                                  std::span<const Segment> segments, const DynamicTable& table,
                                                  const Header& header, const ElfFacts& facts, StringPool& pool);

// A text near the message in the data of jemalloc (DataTexts::names_overcommit). It has a character that the search for
// texts looks for.
constexpr std::string_view jemalloc_hint = "/proc/sys/vm/overcommit_memory";

// The page size in bytes that a jemalloc in the file was compiled for. nullopt: no jemalloc, or its code has another
// form. AArch64 and little-endian ppc64; the machines for which kernels with other pages than 4 KiB exist.
std::optional<std::uint64_t> read_jemalloc_page(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header);

}  // namespace wheelcheck::elf
