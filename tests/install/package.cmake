# Builds the packages, checks their contents, and checks the Debian packages with lintian.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${PREFIX})
run(${CMAKE_COMMAND} -E env --unset=DESTDIR ${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -B ${PREFIX})

# contents(PATTERN OUT): sets OUT to the list of files in the only package that matches PATTERN.
function(contents pattern out)
  file(GLOB package ${PREFIX}/${pattern})
  list(LENGTH package count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "not one package ${pattern}: ${package}")
  endif()
  if(pattern MATCHES "deb$")
    file(MAKE_DIRECTORY ${package}.d)
    run(${CMAKE_COMMAND} -E chdir ${package}.d ${CMAKE_COMMAND} -E tar xf ${package})
    file(GLOB package ${package}.d/data.tar*)
  endif()
  run(${CMAKE_COMMAND} -E tar tf ${package})
  set(${out} "${RUN_OUTPUT}" PARENT_SCOPE)
endfunction()

# expect(CONTENTS PATH... [NOT PATH...]): checks that each PATH is in the package, and those after NOT are not.
function(expect contents)
  set(wanted TRUE)
  foreach(path IN LISTS ARGN)
    if(path STREQUAL "NOT")
      set(wanted FALSE)
      continue()
    endif()
    string(FIND "${contents}" "/${path}\n" at)
    if((at EQUAL -1) EQUAL wanted)
      message(FATAL_ERROR "${path}: is it in the package? It should be: ${wanted}\n${contents}")
    endif()
  endforeach()
endfunction()

set(program bin/wheelcheck share/man/man1/wheelcheck.1.gz share/bash-completion/completions/wheelcheck
  share/fish/vendor_completions.d/wheelcheck.fish share/wheelcheck/policies/manylinux_2_17.json)
set(library lib/libwheelcheck.a include/wheelcheck/wheelcheck.h lib/cmake/wheelcheck/wheelcheckConfig.cmake)

contents(wheelcheck-*.tar.gz files)
expect("${files}" ${program} ${library} share/zsh/site-functions/_wheelcheck share/doc/wheelcheck/README.md
  NOT share/doc/wheelcheck/changelog.gz share/zsh/vendor-completions/_wheelcheck)
contents(wheelcheck_*.deb files)
expect("${files}" ${program} share/zsh/vendor-completions/_wheelcheck share/doc/wheelcheck/copyright
  share/doc/wheelcheck/changelog.gz NOT ${library} share/zsh/site-functions/_wheelcheck share/doc/wheelcheck/README.md)
contents(libwheelcheck-dev_*.deb files)
expect("${files}" ${library} share/doc/libwheelcheck-dev/copyright NOT ${program})

# These checks run only if Debian's tools are installed.
file(GLOB debs ${PREFIX}/*.deb)
find_program(DPKG_DEB dpkg-deb)
if(DPKG_DEB)
  file(GLOB deb ${PREFIX}/wheelcheck_*.deb)
  run(${DPKG_DEB} --field ${deb} Depends)
  string(STRIP "${RUN_OUTPUT}" depends)
  if(ALONE)  # the C library is linked statically
    set(wanted "")
  else()
    set(wanted "libc6 \\(>= [0-9.]+\\)")
  endif()
  if(NOT depends MATCHES "^${wanted}$")
    message(FATAL_ERROR "wheelcheck depends on: ${RUN_OUTPUT}")
  endif()
endif()
find_program(LINTIAN lintian)
if(LINTIAN)
  # The maintainer's address is a placeholder. Publishers of the packages set WHEELCHECK_MAINTAINER.
  run(${LINTIAN} --allow-root --fail-on error,warning --tag-display-limit 0
    --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog ${debs})
endif()
