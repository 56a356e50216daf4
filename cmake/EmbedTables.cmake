# JSON tables as C++ constants. Build tools generate them with the reader for the user's files, so an error in a file
# stops the build and names its location. The program parses no JSON at start unless the user adds a file.

# wheelcheck_embed_policies(OUT): converts the files of policies/ to generated/builtin_policies.cpp.
function(wheelcheck_embed_policies out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/policies/*.json)
  set(policy ${PROJECT_SOURCE_DIR}/src/policy)
  wheelcheck_generate(path policies "${files}" ${policy}/document.cpp ${policy}/validate.cpp ${policy}/auditwheel_format.cpp
    ${policy}/level.cpp)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# wheelcheck_embed_knowledge(OUT): converts the files of data/ to generated/builtin_knowledge.cpp.
function(wheelcheck_embed_knowledge out)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/*.json)
  set(knowledge ${PROJECT_SOURCE_DIR}/src/knowledge)
  wheelcheck_generate(path knowledge "${files}" ${knowledge}/fields.cpp ${knowledge}/gpu.cpp
    ${knowledge}/libraries.cpp ${knowledge}/systems.cpp ${knowledge}/tables.cpp)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# wheelcheck_embed_machines(OUT): writes LLVM's machine names to generated/machine_names.cpp.
function(wheelcheck_embed_machines out)
  add_executable(generate_machines ${PROJECT_SOURCE_DIR}/cmake/tools/generate_machines.cpp)
  target_include_directories(generate_machines SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  llvm_map_components_to_libnames(libs binaryformat support)
  target_link_libraries(generate_machines PRIVATE wheelcheck_options fmt::fmt ${libs})
  set(path ${PROJECT_BINARY_DIR}/generated/machine_names.cpp)
  add_custom_command(OUTPUT ${path} COMMAND generate_machines ${path} DEPENDS generate_machines VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# wheelcheck_generate(OUT NAME FILES SOURCE...): builds cmake/tools/generate_NAME.cpp with those sources and runs it on
# the files.
function(wheelcheck_generate out name files)
  set(base ${PROJECT_SOURCE_DIR}/src/base)
  set(model ${PROJECT_SOURCE_DIR}/src/model)
  add_executable(generate_${name} ${PROJECT_SOURCE_DIR}/cmake/tools/generate_${name}.cpp ${ARGN}
    ${PROJECT_SOURCE_DIR}/src/json/json.cpp ${base}/text.cpp ${model}/date.cpp ${model}/machines.cpp
    ${model}/platform.cpp ${model}/version.cpp)
  target_include_directories(generate_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/cmake/tools)
  target_link_libraries(generate_${name} PRIVATE wheelcheck_options fmt::fmt nlohmann_json::nlohmann_json)
  target_compile_options(generate_${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # it runs once
  set_target_properties(generate_${name} PROPERTIES UNITY_BUILD ${WHEELCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  set(path ${PROJECT_BINARY_DIR}/generated/builtin_${name}.cpp)
  add_custom_command(OUTPUT ${path} COMMAND generate_${name} ${path} ${files} DEPENDS generate_${name} ${files} VERBATIM)
  set(${out} ${path} PARENT_SCOPE)
endfunction()
