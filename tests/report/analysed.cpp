#include "tests/report/analysed.h"

namespace wheelcheck::test {

ElfAnalysis leaking_module() {
  ElfAnalysis out;
  out.exports = {.all = 70,
                 .c = 12,
                 .cxx = 58,
                 .standard = 3,
                 .rtti = 4,
                 .unique = 1,
                 .scopes = {{"llvm", 40, 4, false}, {"mixer", 12, 0, true}, {"std", 3, 0, false}, {"", 3, 0, false}},
                 .libraries = {{.library = "llvm",
                                .name = "LLVM",
                                .exports = 40,
                                .rtti = 4,
                                .examples = {"_ZN4llvm19raw_svector_ostream10write_implEPKcm"}},
                               {.library = "zlib", .name = "zlib", .exports = 11, .examples = {"inflate"}}}};
  out.libraries = {{.library = "llvm",
                    .name = "LLVM",
                    .family = "",
                    .version = "22.1.0",
                    .confidence = Confidence::Medium,
                    .evidence = {{"string", "22.1.0"}}},
                   {.library = "zlib", .name = "zlib", .family = "", .version = std::nullopt, .evidence = {}}};
  out.cxx = {.runtime = CxxRuntime::Hybrid,
             .defined_old = 2,
             .defined_new = 5,
             .defined = StringAbi::Both,
             .examples_old = {"_ZN5mixer3mixESs"},
             .examples_new = {},
             .compilers = {{"GCC", "10.2.1", "GCC: (GNU) 10.2.1"}, {"clang", "18.1.8", "clang version 18.1.8"}}};
  return out;
}

WheelReport leaking_wheel() {
  ElfBuilder module(leaking_so);
  module.needed("libc.so.6")
      .needed("libz-9a8b7c6d.so.1.3.1")
      .import("dlopen", "libc.so.6", "GLIBC_2.34")
      .import("_ZNSs4_Rep20_S_empty_rep_storageE", true)
      .exports("_ZN4llvm19raw_svector_ostream10write_implEPKcm")
      .exports("_ZTVN4llvm6ModuleE", SymbolKind::Object, Binding::Weak)
      .exports("_ZN5mixer3mixESs", "MIXER_1")
      .exports("inflate")
      .comment("GCC: (GNU) 10.2.1")
      .names_library("libcuda.so.1")
      .says("22.1.0")
      .facts([](ElfFacts& facts, StringPool&) {
        facts.device = {.images = {{DeviceImage::Kind::Cubin, "sm_80", 3, 4000},
                                   {DeviceImage::Kind::Cubin, "sm_90a", 3, 5000},
                                   {DeviceImage::Kind::Ptx, "compute_90", 1, 700}},
                        .bytes = 9700};
        facts.sections.debug_bytes = 123456;
        facts.gil_slot = true;
        facts.dynamic->static_tls_relocations = 2;
      });
  WheelReport out = with_facts(WheelBuilder("mixer-1.0-cp311-cp311-manylinux_2_28_x86_64.whl")
                                   .member("mixer/__init__.py")
                                   .elf(module)
                                   .elf(ElfBuilder(zlib_so).soname("libz-9a8b7c6d.so.1.3.1").exports("inflate"))
                                   .build());
  out.analysis.own_scopes = {"mixer"};
  out.analysis.elfs.resize(out.facts.elfs.size());
  out.analysis.elfs[elf_at(out.facts, leaking_so).value] = leaking_module();
  ElfAnalysis& zlib = out.analysis.elfs[elf_at(out.facts, zlib_so).value];
  zlib.exports = {
      .all = 1,
      .c = 1,
      .scopes = {},
      .libraries = {{.library = "zlib", .name = "zlib", .exports = 1, .itself = true, .examples = {"inflate"}}}};
  zlib.libraries = {{.library = "zlib",
                     .name = "zlib",
                     .family = "",
                     .version = "1.3.1",
                     .confidence = Confidence::High,
                     .itself = true,
                     .evidence = {{"soname", "libz-9a8b7c6d.so.1.3.1"}}}};
  const MemberIndex module_member = out.facts.elfs[elf_at(out.facts, leaking_so).value].member;
  out.analysis.gpu = {{.name = "libcuda.so.1",
                       .stem = "libcuda",
                       .vendor = "cuda",
                       .component = "CUDA driver",
                       .use = GpuUse::Dlopen,
                       .driver = true,
                       .version = "1",
                       .major = "",
                       .member = module_member,
                       .provided_by = {}}};
  MemberIndex init{0};
  while (out.facts.members[init.value].path.text() != "mixer/__init__.py") ++init.value;
  out.facts.python = {{.member = init,
                       .calls = {{.call = LoadCall::Cdll,
                                  .line = 7,
                                  .library = "libcudart.so.*",
                                  .flags = 0x102,
                                  .global = true,
                                  .reach = Reach::Certain,
                                  .text = "ctypes.CDLL(name, mode=RTLD_GLOBAL)"}},
                       .names = {{"libcudart.so.*", 5}}}};
  return out;
}

}  // namespace wheelcheck::test
