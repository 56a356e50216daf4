// pack_files OUT SYMBOL FILE...: writes files as one C++ source of compressed text (src/base/embedded.h). A build tool.
#include <fmt/format.h>
#include <libdeflate.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

namespace {

constexpr int best = 12;
constexpr std::size_t width = 100;

std::string packed(const std::string& text) {
  const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
      libdeflate_alloc_compressor(best), &libdeflate_free_compressor);
  std::string out(libdeflate_deflate_compress_bound(compressor.get(), text.size()), '\0');
  out.resize(libdeflate_deflate_compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

// Octal escapes with three digits end regardless of the next character.
std::string literal(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % width == 0) out += i == 0 ? "\"" : "\"\n     \"";
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '?')
      out += bytes[i];
    else
      out += fmt::format("\\{:03o}", byte);
  }
  return out + (out.empty() ? "\"\"" : "\"");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: pack_files OUT SYMBOL FILE...\n", stderr);
    return 2;
  }
  const std::string symbol = argv[2];
  std::string rows;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string bytes = packed(text);
    if (!in || bytes.empty()) {
      fmt::print(stderr, "{}: cannot be read or packed\n", argv[i]);
      return 1;
    }
    rows += fmt::format("    {{\"{}\", {{{},\n     {}}}, {}}},\n", std::filesystem::path(argv[i]).stem().string(),
                        literal(bytes), bytes.size(), text.size());
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << "// Written by the build.\n#include \"base/embedded.h\"\n\nnamespace wheelcheck {\n\nextern const PackedFile "
      << symbol << "[];\nextern const std::size_t " << symbol << "_count;\n\nconst PackedFile " << symbol << "[] = {\n"
      << rows << "};\nconst std::size_t " << symbol << "_count = std::size(" << symbol
      << ");\n\n}  // namespace wheelcheck\n";
  out.close();
  return out ? 0 : 1;
}
