"""Packs the folder of the library in Python as a wheel: python3 wheel.py FOLDER VERSION DIRECTORY"""

import base64
import hashlib
import os
import sys
import sysconfig
import zipfile

folder, version, directory = sys.argv[1:]
tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
information = "elastica-%s.dist-info/" % version
files = {"elastica/" + name: open(os.path.join(folder, name), "rb").read()
         for name in sorted(os.listdir(folder)) if name.endswith((".py", ".json", ".so", ".dylib", ".dll"))}
files[information + "METADATA"] = ("Metadata-Version: 2.1\nName: elastica\nVersion: %s\nSummary: Soft slender bodies as Cosserat rods\n"
                                   "Requires-Python: >=3.8\nRequires-Dist: numpy\nRequires-Dist: cffi\n" % version).encode()
files[information + "WHEEL"] = ("Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\nTag: %s\n" % tag).encode()
lines = ["%s,sha256=%s,%d" % (name, base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), len(data))
         for name, data in files.items()]
files[information + "RECORD"] = ("\n".join(lines + [information + "RECORD,,"]) + "\n").encode()

path = os.path.join(directory, "elastica-%s-%s.whl" % (version, tag))
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, data in files.items():
        wheel.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
print(path)
