#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::dlopen_inventory_test {
namespace {

TEST(DlopenInventory, ListsWhatFilesAndPythonCodeOpen) {
  const auto findings =
      Scene(wheel_of({opener(module_so).names_library("libcuda.so.1"),
                      ElfBuilder("foo/liby.so").names_library("libnccl.so.2")})
                .member("foo/a.py")
                .edit(python_file("foo/a.py", {opens("libcudart.so.12", 3)}, {{"libcublas.so.12", 9}}))
                .edit(requires_dist({"nvidia-cufile-cu12; extra == 'gpu'"})))
          .run("dlopen-inventory");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "opens at least 3 GPU libraries by name: libcublas.so.12, libcuda.so.1, libcudart.so.12");
  EXPECT_EQ(evidence(findings[0], module_so), "libcuda.so.1");
  EXPECT_EQ(evidence(findings[0], "foo/a.py line 3"), "libcudart.so.12");
  EXPECT_EQ(evidence(findings[0], "only declared"), "libcufile.so.*, libcufile_rdma.so.*");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].fix,
            "if the package cannot do without them, depend on nvidia-cublas-cu12, nvidia-cuda-runtime-cu12");
}

TEST(DlopenInventory, ShowsAFewPlacesOfMany) {
  WheelBuilder wheel(wheel_2_17);
  for (int i = 0; i < 12; ++i) wheel.elf(opener("foo/x" + std::to_string(i) + ".so").names_library("libcuda.so.1"));
  const auto findings = Scene(wheel).run("dlopen-inventory");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "and"), "4 more places");
}

TEST(DlopenInventory, IsSilentWhereNothingIsOpened) {
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).needed("libcudart.so.12").names_library("libcuda.so.1")}))
                  .run("dlopen-inventory")
                  .empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so)}).edit(requires_dist({"nvidia-cuda-runtime-cu12"})))
                  .run("dlopen-inventory")
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::dlopen_inventory_test
