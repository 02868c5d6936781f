// Packs the built launcher as an npm package: `npm install --global ./kit-launcher-<version>.tgz` gives the command `kit`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npmPackageOf, readFiles } from "./sdk/archive.ts";
import { versionOf } from "./sdk.ts";

/** Packages that cannot be bundled, because they contain programs or system-specific code. Loaded on demand. */
const needed = ["@napi-rs/keyring", "toasted-notifier"];
const optional = ["@ffmpeg-installer/ffmpeg"];
/** The first Node versions with crypto.randomUUIDv7, the newest feature that the launcher needs. */
const engines = "^24.16.0 || >=26.1.0";
const bytesMax = 4_000_000;

const start = `#!/usr/bin/env node
// The \`kit\` command: the built launcher.
import * as crypto from "node:crypto";
// An older Node would fail with an unhelpful message.
if (crypto.randomUUIDv7 === undefined) {
  console.error(\`Kit needs Node.js 26, or 24.16 and newer; this is \${process.versions.node}. Get it from https://nodejs.org\`);
  process.exit(1);
}
// Hides Node's warnings about experimental features.
process.removeAllListeners("warning");
await import("../dist/launcher/main.js");
`;

/** Exact versions from the lock file, so that the tested versions are installed. */
function exactly(root: string, names: readonly string[]): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version as string]));
}

function manifestOf(root: string): string {
  const { name, description, license, homepage, bugs, repository } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const manifest = {
    name,
    version: versionOf(root),
    description,
    license,
    homepage,
    bugs,
    repository,
    type: "module",
    bin: { kit: "bin/kit.js" },
    engines: { node: engines },
    dependencies: exactly(root, needed),
    optionalDependencies: exactly(root, optional),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

export function npmPackageFile(root: string): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return `${name}-${version}.tgz`;
}

/** Writes the package into `target`, from the present bundles in dist/. */
export async function bundleNpmPackage(root: string, target: string): Promise<void> {
  const files = readFiles(root, ["dist/{launcher,dashboard,sdk}/**"]);
  const plain = ["LICENSE", "README.md"].map((name): [string, Uint8Array] => [name, readFileSync(join(root, name))]);
  const own: [string, Uint8Array][] = [
    ["package.json", Buffer.from(manifestOf(root))],
    ["bin/kit.js", Buffer.from(start)],
  ];
  const bytes = await npmPackageOf(new Map([...files, ...plain, ...own]));
  if (bytes.length > bytesMax) throw new Error(`The npm package is ${bytes.length} bytes and may be ${bytesMax}.`);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, npmPackageFile(root)), bytes);
}
