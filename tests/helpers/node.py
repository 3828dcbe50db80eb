"""Programs of npm that the tests use: `./run test` installs those of tests/browser/package.json beside Python's."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

NODE_MODULES = Path(sys.prefix, "npm", "node_modules")

VALIDATE = """
const fs = require("fs"), validator = require("gltf-validator");
const validate = file => validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20});
Promise.all(process.argv.slice(1).map(validate)).then(
    reports => console.log(JSON.stringify(reports.map(report => report.issues))));
"""


def gltf_issues(*paths: Path) -> list[dict[str, Any]]:
    """Return what Khronos' validator says of glTF files."""
    done = subprocess.run(["node", "-e", VALIDATE, *map(str, paths)], cwd=NODE_MODULES, capture_output=True, check=True)
    return list(json.loads(done.stdout))
