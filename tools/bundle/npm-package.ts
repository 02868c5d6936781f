// Packs the built launcher as an npm package: `npx ./kit-<version>.tgz start`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./executables/payload.ts";
import { npmPackageOf } from "./sdk/archive.ts";
import { versionOf } from "./sdk.ts";

/** Packages that cannot be bundled, because they contain programs or system-specific code. Loaded on demand. */
const needed = ["@napi-rs/keyring", "toasted-notifier"];
const optional = ["@ffmpeg-installer/ffmpeg"];
/** The first Node versions with crypto.randomUUIDv7, the newest feature that the launcher needs. */
const engines = "^24.16.0 || >=26.1.0";
const bytesMax = 4_000_000;
const built = ["launcher", "dashboard", "sdk"];

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
  const { description, license, homepage, bugs, repository } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const manifest = {
    name: "kit",
    version: versionOf(root),
    // Prevents publishing, because the name on npm belongs to somebody else.
    private: true,
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

/** Writes kit-<version>.tgz into `target`, from the present bundles in dist/. */
export async function bundleNpmPackage(root: string, target: string): Promise<void> {
  const files = built
    .flatMap((name) => filesBelow(root, join(root, "dist", name)))
    .map(({ path, content }): [string, Uint8Array] => [path, content]);
  const plain = ["LICENSE", "README.md"].map((name): [string, Uint8Array] => [name, readFileSync(join(root, name))]);
  const own: [string, Uint8Array][] = [
    ["package.json", Buffer.from(manifestOf(root))],
    ["bin/kit.js", Buffer.from(start)],
  ];
  const bytes = await npmPackageOf(new Map([...files, ...plain, ...own]));
  if (bytes.length > bytesMax) throw new Error(`The npm package is ${bytes.length} bytes and may be ${bytesMax}.`);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, `kit-${versionOf(root)}.tgz`), bytes);
}
