// `node tools/winget.ts URL`: writes winget's manifests of the setup in dist/executables, which is at that address, to dist/winget.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "./bundle/executables/boot/unpack.ts";
import { setupFile } from "./bundle/installer/setup.ts";
import { wingetManifests } from "./bundle/installer/winget.ts";
import { versionOf } from "./bundle/sdk.ts";

const root = join(import.meta.dirname, "..");
const [url = ""] = process.argv.slice(2);
const setup = readFileSync(join(root, "dist/executables", setupFile));
const manifests = wingetManifests({ version: versionOf(root), url, sha256: sha256Of(setup) });
const folder = join(root, "dist/winget");
mkdirSync(folder, { recursive: true });
for (const [name, text] of manifests) writeFileSync(join(folder, name), text);
console.log(`${[...manifests.keys()].join(", ")} in ${folder}`);
