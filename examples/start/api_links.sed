# For Doxygen: links of the manual to the header go to its page.
s,](\(\.\./\)*include/elastica\.h),](elastica_8h.html),g
