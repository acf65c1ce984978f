"""Turns elastica.h into the declarations that elastica.py loads: python3 interface.py elastica.h interface.json

The header is the only description of the structs. This program takes from it
  - the declarations, without preprocessor lines, for cffi;
  - the number of values of each lane, from the first word node_count, element_count or joint_count of its comment;
  - the array sizes of parameters such as force[3], which C itself forgets.
"""

import json
import re
import sys

COUNTS = ("node_count", "element_count", "joint_count")


def without_preprocessor(text):
    """Drops directives, their branches for particular compilers, and function attributes; keeps constants."""
    kept, depth = [], 0
    for line in text.replace("\\\n", " ").split("\n"):
        directive = re.match(r"\s*#\s*(\w+)(.*)", line)
        if not directive:
            if depth == 0:
                kept.append(line)
            continue
        word, rest = directive.groups()
        if word in ("if", "ifdef"):
            depth += 1
        elif word == "endif" and depth:
            depth -= 1
        constant = re.match(r"\s+(ELASTICA_\w+)\s+(\d+)\b", rest)
        if word == "define" and constant and depth == 0:
            kept.append("#define %s %s" % constant.groups())
    return "\n".join(kept)


def lanes(text):
    """{struct: {field: word of COUNTS}} for fields that are pointers to numbers, or arrays of three of them."""
    found = {}
    for struct, body in re.findall(r"typedef struct (elastica_\w+) \{(.*?)\n\} \1;", text, re.S):
        for name, comment in re.findall(r"^  (?:const )?double \*(\w+)(?:\[3\])*;\s*/\*(.*?)\*/", body, re.S | re.M):
            words = [word for word in re.findall(r"\w+", comment) if word in COUNTS]
            if words:
                found.setdefault(struct, {})[name] = words[0]
    return found


def extents(text):
    """{function, type or struct.field: [size of each parameter, 0 where it is no array]} of functions with array parameters."""
    found = {}
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)

    def note(name, parameters):
        sizes = [int((re.search(r"\[(\d+)\]\s*$", parameter) or [0, 0])[1]) for parameter in parameters.split(",")]
        if any(sizes):
            found[name] = sizes

    for name, parameters in re.findall(r"^typedef \w+ \(\*(\w+)\)\((.*?)\);", plain, re.S | re.M):
        note(name, parameters)
    for struct, body in re.findall(r"typedef struct (elastica_\w+) \{(.*?)\n\} \1;", plain, re.S):
        for name, parameters in re.findall(r"\(\*(\w+)\)\((.*?)\);", body, re.S):
            note(struct + "." + name, parameters)
        for kind, name in re.findall(r"^  (elastica_\w+) (\w+);", body, re.M):
            if kind in found:
                found[struct + "." + name] = found[kind]
    for name, parameters in re.findall(r"\b(elastica_\w+)\(([^()*]*(?:\*[^()]*)*)\);", plain):
        note(name, parameters)
    return found


def interface(header):
    """All of it, as plain data."""
    text = without_preprocessor(header)
    declarations = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    declarations = re.sub(r"\bELASTICA_MUST_CHECK\b|extern \"C\" \{|^\}$", "", declarations, flags=re.M)
    declarations = re.sub(r"__attribute__\(\(.*?\)\)\)", "", declarations)
    declarations = re.sub(r"\n\s*\n+", "\n", declarations)
    return {"declarations": declarations, "lanes": lanes(text), "extents": extents(text)}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        data = interface(source.read())
    with open(sys.argv[2], "w", encoding="utf-8") as result:
        json.dump(data, result, indent=1)
