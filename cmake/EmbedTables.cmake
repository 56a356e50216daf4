# JSON tables as C++ constants. Build tools generate them with the reader for the user's files, so an error in a file
# stops the build and names its location. The program parses no JSON at start unless the user adds a file.

# wheelcheck_embed_tables(POLICIES KNOWLEDGE): converts the files of policies/ to generated/builtin_policies.cpp, and the
# tables of data/ to generated/builtin_knowledge.cpp. One program does both, because reading JSON takes long to compile.
function(wheelcheck_embed_tables policies knowledge)
  set(src ${PROJECT_SOURCE_DIR}/src)
  set(tools ${PROJECT_SOURCE_DIR}/cmake/tools)
  add_executable(generate_tables ${tools}/generate_tables.cpp
    ${src}/policy/auditwheel_format.cpp ${src}/policy/document.cpp ${src}/policy/level.cpp ${src}/policy/validate.cpp
    ${src}/knowledge/fields.cpp ${src}/knowledge/gpu.cpp ${src}/knowledge/libraries.cpp ${src}/knowledge/systems.cpp
    ${src}/knowledge/tables.cpp ${src}/json/json.cpp ${src}/base/text.cpp ${src}/model/date.cpp ${src}/model/machines.cpp
    ${src}/model/platform.cpp ${src}/model/version.cpp)
  target_include_directories(generate_tables PRIVATE ${PROJECT_SOURCE_DIR}/include ${src} ${tools})
  target_link_libraries(generate_tables PRIVATE wheelcheck_options fmt::fmt nlohmann_json::nlohmann_json)
  # It runs once for each. Fortified functions need optimization.
  target_compile_options(generate_tables PRIVATE $<$<CONFIG:Release>:-O0;-U_FORTIFY_SOURCE>)
  set_target_properties(generate_tables PROPERTIES UNITY_BUILD ${WHEELCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 32)
  wheelcheck_write_tables(path policies policies)
  set(${policies} ${path} PARENT_SCOPE)
  wheelcheck_write_tables(path knowledge data)
  set(${knowledge} ${path} PARENT_SCOPE)
endfunction()

# wheelcheck_write_tables(OUT NAME FOLDER): runs generate_tables on the JSON files of a folder.
function(wheelcheck_write_tables out name folder)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.json)
  set(path ${PROJECT_BINARY_DIR}/generated/builtin_${name}.cpp)
  add_custom_command(OUTPUT ${path} COMMAND generate_tables ${name} ${path} ${files} DEPENDS generate_tables ${files}
    VERBATIM)
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
