# For Doxygen: comments before a declaration, and comments behind one.
s,^\( *\)/\* \([^-]\),\1/** \2,
s,\([;\,0-9A-Z_]\)  */\* ,\1 /**< ,
