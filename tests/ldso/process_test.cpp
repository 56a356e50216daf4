// Tests what the ld.so of this machine cannot show: other versions of glibc, assumed libraries, and malicious names.
// tests/loader_oracle tests the rest of the model.
#include "wheelcheck/process.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/facts.h"

namespace wheelcheck {
namespace {

using process::BindingResult;
using test::ElfBuilder;

// Files in the root directory; the first one is the program.
class LoadPlan {
 public:
  LoadPlan(std::initializer_list<ElfBuilder> builders) {
    for (const ElfBuilder& builder : builders) files_.push_back(builder.build(MemberIndex{0}));
    for (std::size_t i = 0; i < files_.size(); ++i) {
      files_[i].facts.flaws.clear();
      world.files.push_back({.path = "/" + builders.begin()[i].path(), .facts = &files_[i].facts});
    }
    world.platform.directories = {"/"};
  }
  void assume(const std::string& name, process::Assumed assumed) {
    world.files.push_back({.path = name, .assumed = std::move(assumed)});
  }
  void glibc(unsigned minor) { world.platform.glibc = {2, minor}; }
  void open(const std::string& name, process::OpenFlags flags = {}) {
    plan.steps.push_back({{{.name = name, .flags = flags}}});
  }
  process::Outcome play() { return process::predict(world, std::span(&plan, 1)).front(); }
  // "from symbol -> to"
  std::vector<std::string> bindings(const process::Outcome& outcome) const {
    std::vector<std::string> out;
    for (const process::BoundReference& bound : outcome.bound) {
      const process::File& from = world.files[bound.from.value];
      const std::string to = bound.to                               ? world.files[bound.to->value].path
                             : bound.way == BindingResult::Platform ? "platform"
                                                                    : "null";
      out.push_back(from.path + ' ' + std::string(process::symbol_request(*from.facts, bound.reference).name) + " -> " +
                    to);
    }
    return out;
  }

  process::World world;
  process::Plan plan;

 private:
  std::vector<ElfMember> files_;
};

using Texts = std::vector<std::string>;

TEST(Process, LibraryWithoutItsVersionsEndsTheProcessBefore241) {
  for (const unsigned minor : {17U, 36U, 40U, 41U, 42U}) {
    LoadPlan load_plan{ElfBuilder("main"), ElfBuilder("x.so").needed("libf.so").import("f", "libf.so", "V1"),
                       ElfBuilder("libf.so").soname("libf.so").exports("f")};
    load_plan.glibc(minor);
    load_plan.open("/x.so");
    load_plan.open("/x.so");
    const process::Outcome outcome = load_plan.play();
    EXPECT_EQ(outcome.failures.empty(), minor >= 41) << minor;
    if (minor >= 41) continue;
    ASSERT_EQ(outcome.failures.size(), 1U) << "nothing follows";
    EXPECT_TRUE(outcome.failures[0].fatal);
    EXPECT_TRUE(outcome.failures[0].error.starts_with("Inconsistency detected by ld.so"));
  }
}

// A file with f of the base version before f@@V1.
ElfBuilder base_and_versioned() {
  return ElfBuilder("libf.so").soname("libf.so").defines("V1").exports("f").exports("f", "V1");
}

TEST(Process, ExactVersionIsPreferredFrom242) {
  for (const unsigned minor : {41U, 42U}) {
    LoadPlan load_plan{ElfBuilder("main"), ElfBuilder("x.so").needed("libf.so").import("f", "libf.so", "V1"),
                       base_and_versioned()};
    load_plan.glibc(minor);
    load_plan.open("/x.so");
    const process::Outcome outcome = load_plan.play();
    EXPECT_EQ(load_plan.bindings(outcome), (Texts{"/x.so f -> /libf.so"})) << "either way it is that file";
    EXPECT_TRUE(outcome.failures.empty());
  }
  // Two definitions of the base version are ambiguous: another file is used.
  for (const unsigned minor : {41U, 42U}) {
    LoadPlan load_plan{
        ElfBuilder("main"), ElfBuilder("x.so").needed("libg.so").needed("libf.so").import("f", "libf.so", "V1"),
        ElfBuilder("libg.so").soname("libg.so").defines("V9").exports("f").exports("f"), base_and_versioned()};
    load_plan.glibc(minor);
    load_plan.open("/x.so");
    const process::Outcome outcome = load_plan.play();
    EXPECT_EQ(load_plan.bindings(outcome), (Texts{minor < 42 ? "/x.so f -> /libg.so" : "/x.so f -> /libf.so"}));
  }
}

ElfBuilder with_tls(const std::string& path, std::uint64_t bytes, bool descriptors) {
  return ElfBuilder(path).edit([=](ElfMember& member) {
    member.facts.segments.tls_size = bytes;
    member.facts.segments.tls_align = 8;
    (descriptors ? member.facts.dynamic->own_tls_descriptors : member.facts.dynamic->static_tls_relocations) = 1;
  });
}

// Of the 1,664 bytes for later files, TLS descriptors take what they need, since glibc 2.32 at most 512 bytes.
TEST(Process, TlsDescriptorsUseTheStaticBlock) {
  const auto works = [](unsigned minor, std::uint64_t described, std::uint64_t initial_exec) {
    LoadPlan load_plan{ElfBuilder("main"), with_tls("d.so", described, true), with_tls("i.so", initial_exec, false)};
    load_plan.glibc(minor);
    load_plan.open("/d.so");
    load_plan.open("/i.so");
    return load_plan.play().failures.empty();
  };
  EXPECT_FALSE(works(31, 1000, 1000));
  EXPECT_TRUE(works(31, 1000, 600));
  EXPECT_TRUE(works(31, 4000, 1600)) << "without space, descriptors get dynamic TLS";
  EXPECT_TRUE(works(36, 1000, 1600)) << "more than descriptors may use";
  EXPECT_FALSE(works(36, 504, 1200));
  EXPECT_TRUE(works(36, 504, 1100));
}

TEST(Process, NodeleteSurvivedAFailedOpenBefore231) {
  for (const unsigned minor : {30U, 31U}) {
    LoadPlan load_plan{
        ElfBuilder("main"), ElfBuilder("x.so").needed("libn.so").import("nowhere"),
        ElfBuilder("libn.so").soname("libn.so").flags([](LoaderFlags& flags) { flags.nodelete = true; })};
    load_plan.glibc(minor);
    load_plan.open("/x.so");
    const process::Outcome outcome = load_plan.play();
    ASSERT_EQ(outcome.failures.size(), 1U);
    EXPECT_EQ(outcome.failures[0].error, "/x.so: undefined symbol: nowhere");
    EXPECT_EQ(outcome.loaded.size(), minor < 31 ? 2U : 1U) << minor;
  }
}

TEST(Process, AssumedLibraryDefinesTheVersionsThatAreAskedOfIt) {
  LoadPlan load_plan{
      ElfBuilder("main").needed("libc.so.6"),
      ElfBuilder("x.so").needed("libc.so.6").import("malloc", "libc.so.6", "GLIBC_2.2.5").import("nowhere")};
  load_plan.assume("libc.so.6", {.versioned = true});
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  EXPECT_EQ(load_plan.bindings(outcome), (Texts{"/x.so malloc -> libc.so.6", "/x.so nowhere -> null"}));
  ASSERT_EQ(outcome.failures.size(), 1U) << "a name without a version is not of libc";
  EXPECT_EQ(outcome.failures[0].error, "/x.so: undefined symbol: nowhere");
}

// x.so was linked without the C library; y.so shows that malloc and pthread_create are of the platform's libc.so.6,
// and g of a library that is not here.
TEST(Process, NameWithoutAVersionIsOfTheAssumedLibraryOfWhichAnotherFileRequiresIt) {
  LoadPlan load_plan{ElfBuilder("main").needed("libc.so.6").needed("libm.so.6"),
                     ElfBuilder("x.so").import("malloc").import("pthread_create").import("sin").import("g", true),
                     ElfBuilder("y.so")
                         .need("libc.so.6", "GLIBC_2.2.5")
                         .import("malloc", "libc.so.6", "GLIBC_2.2.5")
                         .import("pthread_create", "libpthread.so.0", "GLIBC_2.2.5")
                         .import("sin", "libm.so.6", "GLIBC_2.2.5")
                         .import("g", "libg.so.1", "G_1")};
  load_plan.assume("libc.so.6", {.versioned = true, .speaks_for = {"libpthread.so.0"}});
  load_plan.assume("libm.so.6", {.versioned = true});
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  EXPECT_EQ(load_plan.bindings(outcome), (Texts{"/x.so malloc -> libc.so.6", "/x.so pthread_create -> libc.so.6",
                                                "/x.so sin -> libm.so.6", "/x.so g -> null"}));
  EXPECT_TRUE(outcome.failures.empty());
}

TEST(Process, NearerDefinitionOfTheVersionComesBeforeTheAssumedOne) {
  LoadPlan load_plan{ElfBuilder("main"), ElfBuilder("g.so").defines("GLIBC_2.2.5").exports("malloc", "GLIBC_2.2.5"),
                     ElfBuilder("x.so").needed("libc.so.6").import("malloc", "libc.so.6", "GLIBC_2.2.5")};
  load_plan.assume("libc.so.6", {.versioned = true});
  load_plan.open("/g.so", {.global = true});
  load_plan.open("/x.so");
  EXPECT_EQ(load_plan.bindings(load_plan.play()), (Texts{"/x.so malloc -> /g.so"}));
}

TEST(Process, AssumedLibraryWithoutVersionsMayDefineWhatNobodyElseDoes) {
  LoadPlan load_plan{ElfBuilder("main").needed("libpython3.so"),
                     ElfBuilder("x.so").needed("libX11.so.6").import("XOpenDisplay").import("PyList_New").import("f"),
                     ElfBuilder("libf.so").exports("f")};
  load_plan.assume("libX11.so.6", {});
  load_plan.assume("libpython3.so", {.prefixes = {"Py", "_Py"}});
  load_plan.open("/libf.so", {.global = true});
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  EXPECT_EQ(load_plan.bindings(outcome),
            (Texts{"/x.so XOpenDisplay -> platform", "/x.so PyList_New -> libpython3.so", "/x.so f -> /libf.so"}));
  EXPECT_TRUE(outcome.failures.empty());
}

// libpython is known, and represents another release with a larger API.
TEST(Process, ANameThatAnotherReleaseMayHaveIsFoundThereWhereNoFileDefinesIt) {
  LoadPlan load_plan{
      ElfBuilder("main").needed("libpython3.11.so"), ElfBuilder("libpython3.11.so").exports("PyList_New"),
      ElfBuilder("libf.so").exports("Py_f"),
      ElfBuilder("x.so").import("PyList_New").import("PyObject_GetTypeData").import("_Py_New").import("Py_f"),
      ElfBuilder("y.so").import("py_other")};
  load_plan.open("/libf.so", {.global = true});
  load_plan.open("/x.so");
  load_plan.open("/y.so");
  EXPECT_EQ(load_plan.play().failures.size(), 2U);
  load_plan.world.files[1].further = {"Py", "_Py"};
  const process::Outcome outcome = load_plan.play();
  EXPECT_EQ(load_plan.bindings(outcome),
            (Texts{"/x.so PyList_New -> /libpython3.11.so", "/x.so PyObject_GetTypeData -> /libpython3.11.so",
                   "/x.so _Py_New -> /libpython3.11.so", "/x.so Py_f -> /libf.so", "/y.so py_other -> null"}));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].error, "/y.so: undefined symbol: py_other");
}

TEST(Process, ReferenceStandsForOtherReleasesOfItsName) {
  LoadPlan load_plan{ElfBuilder("main").needed("libc.so.6").import("start", "libc.so.6", "GLIBC_2.99"),
                     ElfBuilder("libc.so.6").soname("libc.so.6").exports("old", "GLIBC_2.2.5"),
                     ElfBuilder("x.so")
                         .needed("libc.so.6")
                         .import("old", "libc.so.6", "GLIBC_2.2.5")
                         .import("newer", "libc.so.6", "GLIBC_2.38")
                         .import("maybe", "libc.so.6", "GLIBC_2.38", true),
                     ElfBuilder("y.so").needed("libc.so.6").import("nothing", "libc.so.6", "GLIBC_2.2.5")};
  load_plan.world.files[0].reference = load_plan.world.files[1].reference = true;
  load_plan.open("/x.so");
  load_plan.open("/y.so");
  const auto outcome = load_plan.play();
  EXPECT_FALSE(outcome.refused);
  EXPECT_EQ(load_plan.bindings(outcome),
            (Texts{"/main start -> /libc.so.6", "/x.so old -> /libc.so.6", "/x.so newer -> /libc.so.6",
                   "/x.so maybe -> /libc.so.6", "/y.so nothing -> null"}));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].error, "/y.so: undefined symbol: nothing, version GLIBC_2.2.5");
  // Only for a reference file; what it needs is assumed to exist.
  load_plan.world.files[1].reference = false;
  const auto strict = load_plan.play();
  EXPECT_FALSE(strict.refused);
  EXPECT_EQ(load_plan.bindings(strict).front(), "/main start -> platform");
  ASSERT_EQ(strict.failures.size(), 2U);
  EXPECT_EQ(strict.failures[0].error, "/libc.so.6: version `GLIBC_2.38' not found (required by /x.so)");
}

TEST(Process, FileIsPreferredToAnAssumedLibraryOfItsName) {
  LoadPlan load_plan{ElfBuilder("main"), ElfBuilder("x.so").needed("libz.so.1").import("inflate"),
                     ElfBuilder("libz.so.1").soname("libz.so.1").exports("inflate")};
  load_plan.assume("libz.so.1", {});
  load_plan.open("/x.so");
  EXPECT_EQ(load_plan.bindings(load_plan.play()), (Texts{"/x.so inflate -> /libz.so.1"}));
}

TEST(Process, DependencyWithoutVersionNeedsOfItsNameIsAnAssertion) {
  LoadPlan load_plan{ElfBuilder("main"), ElfBuilder("x.so").need("libgone.so", "V1")};
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_TRUE(outcome.failures[0].fatal);
}

TEST(Process, LongChainsAndCyclesEnd) {
  constexpr unsigned length = 3000;
  for (const unsigned minor : {34U, 36U}) {
    std::vector<ElfMember> files;
    files.push_back(ElfBuilder("main").build(MemberIndex{0}));
    for (unsigned i = 0; i < length; ++i) {
      const std::string name = "lib" + std::to_string(i) + ".so",
                        next = "lib" + std::to_string((i + 1) % length) + ".so";
      files.push_back(
          ElfBuilder(name).soname(name).needed(next).exports("f" + std::to_string(i)).build(MemberIndex{0}));
    }
    process::World world;
    world.platform = {.glibc = {2, minor}, .directories = {"/"}};
    world.files.push_back({.path = "/main", .facts = &files[0].facts});
    for (unsigned i = 0; i < length; ++i)
      world.files.push_back({.path = "/lib" + std::to_string(i) + ".so", .facts = &files[i + 1].facts});
    process::Plan plan;
    plan.steps.push_back({{{.name = "/lib0.so"}}});
    const process::Outcome outcome = process::predict(world, std::span(&plan, 1)).front();
    // The order of constructors before glibc 2.35 costs too much for so many files: the model says so.
    EXPECT_EQ(outcome.failures.empty(), minor >= 35);
    if (minor >= 35) EXPECT_EQ(outcome.loaded.size(), length + 1);
  }
}

// --- musl: what the installed release does not show (tests/musl_oracle) -----------------------------------------

ElfBuilder main_of_musl() { return ElfBuilder("main").needed("libc.so").interpreter("/ld-musl-x86_64.so.1"); }
ElfBuilder musl() { return ElfBuilder("ld-musl-x86_64.so.1").exports("fopen").exports("fopen_s"); }

TEST(MuslProcess, NamesOfLargeFilesAreThoseOfTheLibrary) {
  LoadPlan load_plan{main_of_musl(), musl(), ElfBuilder("x.so").needed("libc.musl-x86_64.so.1").import("fopen64")};
  load_plan.world.platform.loader = process::Loader::Musl;
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  EXPECT_FALSE(outcome.refused);
  EXPECT_TRUE(outcome.failures.empty());
  EXPECT_EQ(load_plan.bindings(outcome), (Texts{"/x.so fopen64 -> /ld-musl-x86_64.so.1"}));
  LoadPlan other{main_of_musl(), musl(), ElfBuilder("x.so").import("fopen_s64")};
  other.world.platform.loader = process::Loader::Musl;
  other.open("/x.so");
  const process::Outcome missing = other.play();
  ASSERT_EQ(missing.failures.size(), 1U);
  EXPECT_EQ(missing.failures[0].error, "Error relocating /x.so: fopen_s64: symbol not found");
}

TEST(MuslProcess, VersionsAreIgnored) {
  LoadPlan load_plan{main_of_musl(), musl(), ElfBuilder("x.so").needed("libf.so").import("f", "libf.so", "V9"),
                     ElfBuilder("libf.so").soname("libg.so").defines("V1").exports("f", "V1")};
  load_plan.world.platform.loader = process::Loader::Musl;
  load_plan.open("/x.so");
  load_plan.open("libg.so");  // a DT_SONAME is no name
  const process::Outcome outcome = load_plan.play();
  EXPECT_EQ(load_plan.bindings(outcome), (Texts{"/x.so f -> /libf.so"}));
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].error, "Error loading shared library libg.so: No such file or directory");
}

TEST(MuslProcess, OpenedFilesHaveNoStaticTls) {
  LoadPlan load_plan{main_of_musl(), musl(), with_tls("x.so", 8, false).edit([](ElfMember& member) {
                       member.facts.dynamic->own_static_tls_relocations = 1;
                     })};
  load_plan.world.platform.loader = process::Loader::Musl;
  load_plan.open("/x.so");
  const process::Outcome outcome = load_plan.play();
  ASSERT_EQ(outcome.failures.size(), 1U);
  EXPECT_EQ(outcome.failures[0].error,
            "Error relocating /x.so: initial-exec TLS resolves to dynamic definition in /x.so");
}

}  // namespace
}  // namespace wheelcheck
