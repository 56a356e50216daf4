# Read by cpack for each generator: a Debian package has places of its own, what goes elsewhere is not in it.
if(CPACK_GENERATOR STREQUAL "DEB")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL elsewhere zsh Unspecified)
endif()
