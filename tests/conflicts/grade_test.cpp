// Tests the severity of a capture: each row of the table in docs/loader.md, with the smallest pair of wheels.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/conflicts/support.h"
#include "tests/support/kept.h"

namespace wheelcheck {
namespace {

using test::ElfBuilder;
using test::Together;
using test::WheelBuilder;

constexpr const char *leaker = "leaker/_l.cpython-311-x86_64-linux-gnu.so",
                     *victim = "victim/_v.cpython-311-x86_64-linux-gnu.so";

// Both define the names; the victim's references are bound to the leaker's definitions.
class Pair {
 public:
  Pair& name(const std::string& name, SymbolKind own = SymbolKind::Function, SymbolKind taken = SymbolKind::Function,
             std::uint64_t own_size = 8, std::uint64_t taken_size = 16) {
    victim_.exports(name, own, Binding::Global, own_size);
    leaker_.exports(name, taken, Binding::Global, taken_size);
    return *this;
  }
  Pair& known(KnownLibrary library) {
    knowledge_.libraries.push_back(std::move(library));
    std::ranges::sort(knowledge_.libraries, {}, &KnownLibrary::id);
    return *this;
  }
  Pair& inside(const std::string& id, const std::string& own, const std::string& taken) {
    return inside(id, own, id, taken);
  }
  Pair& inside(const std::string& own_id, const std::string& own, const std::string& taken_id,
               const std::string& taken) {
    libraries_.emplace_back(victim, identified(own_id, own));
    libraries_.emplace_back(leaker, identified(taken_id, taken));
    return *this;
  }
  Pair& strings(StringAbi own, StringAbi taken) {
    own_strings_ = own;
    taken_strings_ = taken;
    return *this;
  }
  // The victim alone also exports it.
  Pair& own_name(const std::string& symbol) {
    victim_.exports(symbol);
    return *this;
  }
  Pair& binding(Binding binding) {
    victim_.edit([=](ElfMember& m) { m.facts.dynamic->exports.back().binding = binding; });
    return *this;
  }
  Pair& compiled_by(const char* own, const char* taken) {
    victim_.edit([=](ElfMember& m) { m.facts.sections.comments = {own}; });
    leaker_.edit([=](ElfMember& m) { m.facts.sections.comments = {taken}; });
    return *this;
  }
  Pair& soname(const std::string& of_victim) {
    victim_.soname(of_victim);
    return *this;
  }

  Relation grade() {
    ElfBuilder asking = victim_;
    asking.edit([](ElfMember& m) {
      for (Export& symbol : m.facts.dynamic->exports) symbol.bound = Bound::AtLoad;
    });
    Together together({WheelBuilder("leaker-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(leaker_),
                       WheelBuilder("victim-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(asking)});
    together.global(leaker);
    for (const auto& [path, library] : libraries_) together.library(path, library);
    together.analysis(victim, [&](ElfAnalysis& each) { each.cxx.defined = own_strings_; });
    together.analysis(leaker, [&](ElfAnalysis& each) { each.cxx.defined = taken_strings_; });
    Conflicts found = together.find(knowledge_);
    EXPECT_EQ(found.relations.size(), 1U);
    if (found.relations.empty()) return {};
    EXPECT_EQ(found.relations[0].kind, RelationKind::Capture);
    return std::move(found.relations[0]);
  }

 private:
  IdentifiedLibrary identified(const std::string& id, const std::string& version) const {
    IdentifiedLibrary out{.library = id, .name = id, .family = {}, .version = {}};
    if (!version.empty()) out.version = version;
    for (const KnownLibrary& library : knowledge_.libraries)
      if (library.id == id) out.family = library.family;
    out.confidence = Confidence::High;
    return out;
  }
  ElfBuilder leaker_{leaker}, victim_{victim};
  Knowledge knowledge_;
  std::vector<std::pair<std::string, IdentifiedLibrary>> libraries_;
  StringAbi own_strings_ = StringAbi::None, taken_strings_ = StringAbi::None;
};

void expect(const Relation& relation, Reason reason, Severity severity) {
  EXPECT_EQ(name_of(relation.reason), name_of(reason));
  EXPECT_EQ(name_of(relation.severity), name_of(severity));
}

KnownLibrary c_library(const std::string& id, const std::string& prefix) {
  KnownLibrary out;
  out.id = out.name = test::kept(id);
  out.symbols = test::kept_list({prefix + "*"});
  return out;
}
KnownLibrary cxx_library(const std::string& id) {
  KnownLibrary out;
  out.id = out.name = test::kept(id);
  out.namespaces = test::kept_list({id});
  return out;
}

TEST(Grade, TypeInformationAndTheStandardLibraryMayBeShared) {
  expect(Pair().name("_ZTI3Foo", SymbolKind::Object, SymbolKind::Object).grade(), Reason::TypeInformation,
         Severity::Note);
  expect(Pair().name("_ZNSt6vectorIiSaIiEE9push_backERKi").grade(), Reason::TypeInformation, Severity::Note);
}

// onnx 1.6.0 (GCC 4.8) after torch 1.4.0 (GCC 7): its std::unordered_map crashes. That of protobuf 3.11.3 works.
TEST(Grade, HashTablesOfGccBefore5AndAfterDiffer) {
  constexpr const char *method = "_ZNSt10_HashtableIiiSaIiENSt8__detail9_IdentityESt8equal_toIiEE9_M_rehashEm",
                       *old = "GCC: (GNU) 4.8.2 20140120 (Red Hat 4.8.2-15)",
                       *newer = "GCC: (GNU) 7.3.1 20180303 (Red Hat 7.3.1-5)";
  const auto with = [&](const std::string& name, const char* own, const char* taken) {
    return Pair().name(name).compiled_by(own, taken).grade();
  };
  expect(with(method, old, newer), Reason::Incompatible, Severity::Warning);
  expect(with(method, newer, old), Reason::Incompatible, Severity::Warning);
  expect(with(method, newer, newer), Reason::TypeInformation, Severity::Note);
  expect(with(method, "clang version 10.0.0", newer), Reason::TypeInformation, Severity::Note);
  expect(with("_ZNSt6vectorIiSaIiEE9push_backERKi", old, newer), Reason::TypeInformation, Severity::Note);
}

TEST(Grade, FunctionAgainstDataIsProof) {
  const Relation relation = Pair().name("thing", SymbolKind::Object, SymbolKind::Function).name("other").grade();
  expect(relation, Reason::AbiProof, Severity::Error);
  EXPECT_EQ(relation.tally.kind_differs, 1U);
  ASSERT_FALSE(relation.shown.empty());
  EXPECT_EQ(relation.shown[0], "thing");  // the proof is first
}

TEST(Grade, DataOfAnotherSizeIsProofAndAFunctionIsNot) {
  expect(Pair().name("_ZTV3Foo", SymbolKind::Object, SymbolKind::Object, 40, 48).grade(), Reason::AbiProof,
         Severity::Error);
  expect(Pair().name("table", SymbolKind::Object, SymbolKind::Object, 40, 40).grade(), Reason::UnknownVersion,
         Severity::Warning);
  expect(Pair().name("f", SymbolKind::Function, SymbolKind::Function, 40, 48).grade(), Reason::UnknownVersion,
         Severity::Warning);
  expect(Pair().name("t", SymbolKind::Tls, SymbolKind::Object).grade(), Reason::AbiProof, Severity::Error);
}

TEST(Grade, TenFunctionsOfOneSizeAreOneBuild) {
  Pair nine, ten;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "f" + std::to_string(i);
    ten.name(name, SymbolKind::Function, SymbolKind::Function, 8, 8);
    if (i < 9) nine.name(name, SymbolKind::Function, SymbolKind::Function, 8, 8);
  }
  expect(ten.grade(), Reason::SameBuild, Severity::Note);
  expect(nine.grade(), Reason::UnknownVersion, Severity::Warning);
}

TEST(Grade, StableLibraryMayBeNewerNotOlder) {
  const auto with = [](const std::string& own, const std::string& taken, bool checks = false) {
    KnownLibrary zip = c_library("zip", "zip_");
    zip.checks_version = checks;
    return Pair().known(zip).name("zip_open").inside("zip", own, taken).grade();
  };
  expect(with("1.2", "1.2"), Reason::SameVersion, Severity::Note);
  expect(with("1.2", "1.10"), Reason::NewerProvider, Severity::Warning);
  expect(with("1.10", "1.2"), Reason::OlderProvider, Severity::Warning);
  expect(with("1.10", "1.2", true), Reason::OlderProvider, Severity::Error);
  expect(with("1.10", ""), Reason::UnknownVersion, Severity::Warning);
}

TEST(Grade, CxxLibraryMustNotBeOlder) {
  const auto with = [](Compatible compatible, const std::string& own, const std::string& taken) {
    KnownLibrary llvm = cxx_library("llvm");
    llvm.compatible = compatible;
    return Pair().known(llvm).name("_ZN4llvm1fEv").inside("llvm", own, taken).grade();
  };
  expect(with(Compatible::Unsaid, "2.1", "2.0"), Reason::OlderProvider, Severity::Error);
  expect(with(Compatible::Unsaid, "2.0", "2.1"), Reason::NewerProvider, Severity::Warning);
  expect(with(Compatible::Major, "22.1.0", "23.1.0"), Reason::Incompatible, Severity::Error);
  expect(with(Compatible::Major, "22.1.0", "22.1.1"), Reason::NewerProvider, Severity::Warning);
  expect(with(Compatible::Major, "23.0.0git", "23.0.0git"), Reason::Incompatible, Severity::Error);
  expect(with(Compatible::Exact, "5.1.0", "5.1.1"), Reason::Incompatible, Severity::Error);
}

TEST(Grade, ManyCxxNamesOfUnknownVersionAreAnError) {
  Pair few, many, inlined;
  for (int i = 0; i < 51; ++i) {
    const std::string name = "_ZN4deep" + std::string(i < 10 ? "2" : "3") + "f" + std::to_string(i) + "Ev";
    many.name(name);
    inlined.name(name).binding(Binding::Weak);
    if (i < 50) few.name(name);
  }
  expect(few.grade(), Reason::UnknownVersion, Severity::Warning);
  expect(many.grade(), Reason::UnknownVersion, Severity::Error);
  expect(inlined.grade(), Reason::UnknownVersion, Severity::Warning);
}

TEST(Grade, FewTemplatesAreNoLibrary) {
  const auto with = [](Binding binding) {
    KnownLibrary protobuf = cxx_library("pb");
    protobuf.family = "protobuf";
    return Pair().known(protobuf).name("_ZN2pb5writeILi1EEEvv").binding(binding).grade();
  };
  expect(with(Binding::Weak), Reason::InlineCode, Severity::Note);
  expect(with(Binding::Global), Reason::Incompatible, Severity::Error);
}

TEST(Grade, AnotherImplementationOfTlsDoesNotFit) {
  KnownLibrary openssl = c_library("openssl", "SSL_"), boringssl = c_library("boringssl", "BORINGSSL_");
  openssl.family = boringssl.family = "tls";
  const Relation relation =
      Pair().known(openssl).known(boringssl).name("SSL_new").inside("openssl", "3.5.8", "boringssl", "").grade();
  expect(relation, Reason::Incompatible, Severity::Error);
  ASSERT_TRUE(relation.provider_library);
  EXPECT_EQ(relation.provider_library->id, "boringssl");
}

// libparquet.so of pyarrow: encryption needs no certificates, whose functions are data in BoringSSL.
TEST(Grade, AStaticLibcryptoWithoutLibsslIsAWarning) {
  KnownLibrary openssl = c_library("openssl", "EVP_"), boringssl = c_library("boringssl", "BORINGSSL_");
  openssl.family = boringssl.family = "tls";
  const auto pair = [&](SymbolKind taken) {
    return Pair()
        .known(openssl)
        .known(boringssl)
        .name("EVP_x", SymbolKind::Function, taken)
        .inside("openssl", "3.5.8", "boringssl", "");
  };
  expect(pair(SymbolKind::Object).grade(), Reason::AbiProof, Severity::Warning);
  expect(pair(SymbolKind::Function).grade(), Reason::Incompatible, Severity::Warning);
  expect(pair(SymbolKind::Object).own_name("SSL_new").grade(), Reason::AbiProof, Severity::Error);
}

// RE2 in libarrow_compute.so of pyarrow: the tables of Unicode are longer in another release.
TEST(Grade, TablesOfAStableLibraryMayHaveAnotherSize) {
  const auto pair = [](Compatible compatible, const std::string& data) {
    KnownLibrary re2 = cxx_library("re2");
    re2.compatible = compatible;
    return Pair()
        .known(re2)
        .name("_ZN3re21fEv")
        .name(data, SymbolKind::Object, SymbolKind::Object, 8, 16)
        .inside("re2", "", "");
  };
  const std::string table = "_ZN3re25tableE";
  expect(pair(Compatible::Stable, table).grade(), Reason::UnknownVersion, Severity::Warning);
  expect(pair(Compatible::Unsaid, table).grade(), Reason::AbiProof, Severity::Error);
  expect(pair(Compatible::Stable, "_ZTVN3re24TypeE").grade(), Reason::AbiProof, Severity::Error);
}

TEST(Grade, IntegersOfBlasMustBeOfOneWidth) {
  KnownLibrary blas = c_library("blas", "d");
  blas.family = "blas";
  const auto with = [&](const std::string& soname) {
    Pair pair;
    pair.known(blas).name("dsyevd_");
    pair.soname(soname);
    return pair.grade();
  };
  expect(with("libmkl_intel_ilp64.so.2"), Reason::Incompatible, Severity::Error);
  expect(with("libopenblas64_.so.0"), Reason::Incompatible, Severity::Error);
  expect(with("libopenblas.so.0"), Reason::UnknownVersion, Severity::Warning);
}

TEST(Grade, SystemsLibraryMayBeAnyVersionAndSoMayWhatAnswersForIt) {
  const ElfMember system = ElfBuilder("libz.so.1").soname("libz.so.1").exports("deflate").build({0});
  const auto pair = [](SymbolKind kind) {
    return Together({WheelBuilder("leaker-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                         .elf(ElfBuilder(leaker).exports("deflate", kind)),
                     WheelBuilder("victim-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                         .elf(ElfBuilder(victim).needed("libz.so.1").import("deflate"))});
  };
  const Conflicts function = pair(SymbolKind::Function).platform(system).global(leaker).find();
  ASSERT_EQ(function.relations.size(), 1U);
  expect(function.relations[0], Reason::UnknownVersion, Severity::Note);
  const Conflicts data = pair(SymbolKind::Object).platform(system).global(leaker).find();
  ASSERT_EQ(data.relations.size(), 1U);
  expect(data.relations[0], Reason::AbiProof, Severity::Error);
}

TEST(Grade, TwoStringAbisDoNotFit) {
  const auto with = [](StringAbi own, StringAbi taken) {
    return Pair().name("_ZN3foo3barEv").own_name("_ZN3foo5titleERKSs").strings(own, taken).grade();
  };
  expect(with(StringAbi::Old, StringAbi::New), Reason::Incompatible, Severity::Error);
  expect(with(StringAbi::New, StringAbi::New), Reason::UnknownVersion, Severity::Warning);
  expect(with(StringAbi::Both, StringAbi::New), Reason::UnknownVersion, Severity::Warning);
  // No name of the namespace contains a string: no class in it does (Eigen).
  const Relation without =
      Pair().name("_ZN3foo3barEv").own_name("_ZN5other5titleERKSs").strings(StringAbi::Old, StringAbi::New).grade();
  expect(without, Reason::UnknownVersion, Severity::Warning);
  const Relation in_arguments = Pair()
                                    .name("_ZN3foo3barEv")
                                    .own_name("_ZN3foo6traitsISsE4nameEv")
                                    .strings(StringAbi::Old, StringAbi::New)
                                    .grade();
  expect(in_arguments, Reason::UnknownVersion, Severity::Warning);
}

// A window of Qt gets its connection from the libX11 that the first module loaded, which goes on with the system's
// libxcb, and passes it to the libxcb that another wheel has made global since. If that came first, both use its copy.
TEST(Grade, ObjectsOfTwoCopiesAreAnErrorInTheOrderThatDividesTheirUsers) {
  const auto system = [](const std::string& soname) { return ElfBuilder(soname).soname(soname); };
  const auto played = [&](const std::string& library, const std::string& plugin_needs) {
    const ElfMember xcb = system(library).exports("xcb_connect").exports("xcb_flush").build({0});
    const ElfMember x11 =
        system("libX11.so.6").needed(library).import("xcb_connect").exports("XOpenDisplay").build({0});
    return Together({WheelBuilder("gui-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                         .elf(ElfBuilder("gui/_g.abi3.so").needed("libX11.so.6").import("XOpenDisplay"))
                         .elf(ElfBuilder("gui/plugins/platforms/libqxcb.so")
                                  .needed(plugin_needs)
                                  .needed(library)
                                  .import("xcb_flush")),
                     WheelBuilder("media-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                         .elf(ElfBuilder("media/_m.abi3.so").exports("xcb_connect").exports("xcb_flush"))})
        .platform(xcb)
        .platform(x11)
        .global("media/_m.abi3.so")
        .opened("gui/plugins/platforms/libqxcb.so", process::OpenBy::Dlopen)
        .last("gui/plugins/platforms/libqxcb.so")
        .find();
  };
  const auto worst = [](const Conflicts& conflicts) { return conflicts.relations.front(); };
  const Conflicts divided = played("libxcb.so.1", "libX11.so.6");
  ASSERT_FALSE(divided.relations.empty());
  EXPECT_EQ(worst(divided).reason, Reason::Divided);
  EXPECT_EQ(worst(divided).severity, Severity::Error);
  EXPECT_EQ(worst(divided).load_plans, std::vector<std::uint32_t>{0});
  for (const Conflicts& other : {played("libxcb.so.1", "libc.so.6"), played("libz.so.1", "libX11.so.6")}) {
    ASSERT_FALSE(other.relations.empty());
    EXPECT_EQ(worst(other).severity, Severity::Note);
  }
}

}  // namespace
}  // namespace wheelcheck
