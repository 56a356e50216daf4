# The build information in `wheelcheck --version --verbose`: library versions from the headers, which belong to the
# linked archives, and compiler options that define no macro.
function(wheelcheck_defined out header stem)
  set(parts "")
  foreach(part IN LISTS ARGN)
    file(STRINGS ${header} line REGEX "define[ \t]+${stem}${part}[ \t]" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*${stem}${part}[ \t]+\"?([0-9.]+).*" "\\1" number "${line}")
    list(APPEND parts ${number})
  endforeach()
  list(JOIN parts "." version)
  set(${out} ${version} PARENT_SCOPE)
endfunction()

# The address in packaging/project.json, which rule codes and SARIF link to; empty until the project has a home.
function(wheelcheck_homepage out)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/project.json)
  file(READ ${PROJECT_SOURCE_DIR}/packaging/project.json project)
  string(JSON homepage GET "${project}" homepage)
  if(homepage MATCHES "/OWNER/")
    set(homepage "")
  endif()
  set(${out} "${homepage}" PARENT_SCOPE)
endfunction()

# `extern const char* const library_versions[]`, and `compiler_flags`.
function(wheelcheck_about out)
  wheelcheck_defined(deflate ${LIBDEFLATE_INCLUDE_DIR}/libdeflate.h LIBDEFLATE_VERSION_ STRING)
  wheelcheck_homepage(homepage)
  set(rule_pages "")
  if(homepage)
    set(rule_pages "${homepage}/blob/main/docs/rules")
  endif()
  set(path ${PROJECT_BINARY_DIR}/generated/about_build.cpp)
  file(CONFIGURE OUTPUT ${path} CONTENT
"// Written by the build.
#include \"cli/about.h\"

namespace wheelcheck::cli {

const std::string_view library_versions =
    \"ISA-L ${ISAL_VERSION}, libdeflate ${deflate}, zlib ${ZLIB_VERSION_STRING}, LLVM ${LLVM_PACKAGE_VERSION}, \"
    \"tree-sitter ${TREE_SITTER_VERSION} with the Python grammar ${TREE_SITTER_PYTHON_VERSION}, Zydis ${ZYDIS_VERSION}, \"
    \"libarchive ${LibArchive_VERSION}, nlohmann_json ${nlohmann_json_VERSION}, OpenSSL ${OPENSSL_VERSION}\";
const std::string_view rule_pages = \"${rule_pages}\";
const std::string_view compiler_flags = \"${WHEELCHECK_HARDENED}\";

}  // namespace wheelcheck::cli
" @ONLY)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
