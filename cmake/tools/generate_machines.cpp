// generate_machines OUT: writes LLVM's names of e_machine as a C++ table (src/elf/header.h). A build tool. Calling
// LLVM's function in the program instead would link most of LLVM's support library, its start-up code and libm.
#include <fmt/format.h>
#include <llvm/BinaryFormat/ELF.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::string text =
      "#include \"elf/header.h\"\n\nnamespace wheelcheck::elf {\nnamespace {\n\n"
      "constexpr MachineName names[] = {\n";
  for (std::uint32_t machine = 0; machine <= UINT16_MAX; ++machine) {
    const llvm::StringRef name = llvm::ELF::convertEMachineToArchName(static_cast<std::uint16_t>(machine));
    if (!name.empty() && name != "None") text += fmt::format("    {{{}, \"{}\"}},\n", machine, std::string_view(name));
  }
  text +=
      "};\n\n}  // namespace\n\nconst std::span<const MachineName> machine_names(names);\n\n}  // namespace "
      "wheelcheck::elf\n";
  std::ofstream out(argv[1], std::ios::binary);
  out << text;
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{} cannot be written\n", argv[1]);
  return 1;
}
