# cpack reads this file for each generator. The Debian packages have their own components; other components are not
# included.
if(CPACK_GENERATOR STREQUAL "DEB")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL elsewhere zsh Unspecified)
endif()
