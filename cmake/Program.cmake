# The program and its completions and manual page. The program itself generates the latter after it is built.
set(written_dir ${PROJECT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${written_dir})

# wheelcheck_write(FILE WORDS...): generates FILE in written_dir by running the program with WORDS.
function(wheelcheck_write file)
  add_custom_command(OUTPUT ${written_dir}/${file}
    COMMAND wheelcheck-program ${ARGN} --output-file ${written_dir}/${file} DEPENDS wheelcheck-program VERBATIM)
endfunction()
wheelcheck_write(wheelcheck.bash completions bash)
wheelcheck_write(wheelcheck.fish completions fish)
wheelcheck_write(_wheelcheck completions zsh)
wheelcheck_write(wheelcheck.1 man)
set(page ${written_dir}/wheelcheck.1)
set(written ${written_dir}/wheelcheck.bash ${written_dir}/wheelcheck.fish ${written_dir}/_wheelcheck ${page})

# Compressed as in distributions. Not in a wheel, which is compressed itself, and in which an archive is a finding.
find_program(GZIP gzip)
mark_as_advanced(GZIP)
if(GZIP AND NOT SKBUILD)
  add_custom_command(OUTPUT ${page}.gz COMMAND ${GZIP} -9nfk ${page} DEPENDS ${page} VERBATIM)
  list(APPEND written ${page}.gz)
  set(page ${page}.gz)
endif()
add_custom_target(written ALL DEPENDS ${written})

# A wheel has a place for each kind of file (PEP 427, "The .data directory").
if(SKBUILD)
  set(programs_dir ${SKBUILD_SCRIPTS_DIR})
  set(data_dir ${SKBUILD_DATA_DIR}/share)
  set(man_dir ${SKBUILD_DATA_DIR}/share/man)
else()
  set(programs_dir ${CMAKE_INSTALL_BINDIR})
  set(data_dir ${CMAKE_INSTALL_DATADIR})
  set(man_dir ${CMAKE_INSTALL_MANDIR})
endif()
if(WHEELCHECK_BUILT)
  # What Python imports is installed unchanged, with all symbols for its tests.
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/wheelcheck
    COMMAND ${CMAKE_STRIP} -o ${PROJECT_BINARY_DIR}/wheelcheck ${WHEELCHECK_BUILT} DEPENDS ${WHEELCHECK_BUILT} VERBATIM)
  add_custom_target(stripped ALL DEPENDS ${PROJECT_BINARY_DIR}/wheelcheck)
  add_dependencies(written stripped)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/wheelcheck DESTINATION ${programs_dir} COMPONENT program)
else()
  install(TARGETS wheelcheck-program RUNTIME DESTINATION ${programs_dir} COMPONENT program)
endif()
install(FILES ${page} DESTINATION ${man_dir}/man1 COMPONENT program)
install(FILES ${written_dir}/wheelcheck.bash DESTINATION ${data_dir}/bash-completion/completions RENAME wheelcheck
  COMPONENT program)
install(FILES ${written_dir}/wheelcheck.fish DESTINATION ${data_dir}/fish/vendor_completions.d COMPONENT program)
install(FILES ${written_dir}/_wheelcheck DESTINATION ${data_dir}/zsh/site-functions COMPONENT zsh)
