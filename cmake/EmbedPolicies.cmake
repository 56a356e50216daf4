# wheelcheck_embed_policies(OUT): the files of policies/ as C++ tables, generated/builtin_policies.cpp. A tool of the build
# writes them with the loader's own reader, so no JSON is parsed at start unless the user adds a policy.
function(wheelcheck_embed_policies out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/policies/*.json)
  set(policy ${PROJECT_SOURCE_DIR}/src/policy)
  add_executable(generate_policies ${PROJECT_SOURCE_DIR}/cmake/tools/generate_policies.cpp
    ${policy}/document.cpp ${policy}/validate.cpp ${policy}/auditwheel_format.cpp ${policy}/level.cpp
    ${PROJECT_SOURCE_DIR}/src/base/platform.cpp ${PROJECT_SOURCE_DIR}/src/base/text.cpp
    ${PROJECT_SOURCE_DIR}/src/base/version.cpp)
  target_include_directories(generate_policies PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(generate_policies PRIVATE wheelcheck_options fmt::fmt nlohmann_json::nlohmann_json)
  set(path ${PROJECT_BINARY_DIR}/generated/builtin_policies.cpp)
  add_custom_command(OUTPUT ${path} COMMAND generate_policies ${path} ${files} DEPENDS generate_policies ${files} VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
