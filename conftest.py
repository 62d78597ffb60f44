"""Every block of the guide is a test; a page that cannot be read is an error."""

import pytest_codeblocks.plugin

from weave.codeblocks import extract_from_file

pytest_codeblocks.plugin.extract_from_file = extract_from_file
