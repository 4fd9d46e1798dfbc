# SPDX-License-Identifier: MIT
"""A wheel against an installed Lash (pkg-config finds it): pip wheel --no-build-isolation python/"""
from setuptools import setup

setup(cffi_modules=["lash_build.py:ffi"], options={"bdist_wheel": {"py_limited_api": "cp311"}})
