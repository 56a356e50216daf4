# Installs to a prefix, moves the prefix, and then builds and runs a client that knows only the new prefix.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${PREFIX})

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}/first)
file(RENAME ${PREFIX}/first ${PREFIX}/moved)

# The installed files must not contain paths of the build machine.
file(GLOB_RECURSE cmake_files ${PREFIX}/moved/*.cmake)
if(NOT cmake_files)
  message(FATAL_ERROR "no CMake file was installed")
endif()
foreach(file IN LISTS cmake_files)
  file(STRINGS ${file} paths REGEX "${PREFIX}|${BUILD}|/lib(isal|deflate|fmt|crypto|archive)\\.")
  if(paths)
    message(FATAL_ERROR "${file} holds a path of this machine: ${paths}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/client -B ${PREFIX}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${PREFIX}/moved)
run(${CMAKE_COMMAND} --build ${PREFIX}/build)
run(${PREFIX}/build/client)
string(STRIP "${RUN_OUTPUT}" answer)
if(NOT answer STREQUAL "wheelcheck ${VERSION}: 1 unreadable, exit 3")
  message(FATAL_ERROR "the client says: ${answer}")
endif()
run(${PREFIX}/moved/bin/wheelcheck --version)
if(NOT RUN_OUTPUT MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program says: ${RUN_OUTPUT}")
endif()

# The C library is the only library that the program opens at its start.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PREFIX}/moved/bin/wheelcheck
  RESOLVED_DEPENDENCIES_VAR opened UNRESOLVED_DEPENDENCIES_VAR missing)
list(FILTER opened EXCLUDE REGEX "/(libc|libm|ld-[^/]*)\\.so[^/]*$")
if(opened OR missing)
  message(FATAL_ERROR "the program opens more libraries than it should: ${opened} ${missing}; see cmake/Archives.cmake")
endif()
