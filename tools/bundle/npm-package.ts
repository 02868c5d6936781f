// Packs the built launcher as an npm package that starts wherever Node is: `npx ./kit-<version>.tgz start`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./executables/payload.ts";
import { npmPackageOf } from "./sdk/archive.ts";
import { versionOf } from "./sdk.ts";

/** The bundle has everything in it but these: each brings programs or is built for one system, and is asked for when it is used. */
const needed = ["@napi-rs/keyring", "toasted-notifier"];
const optional = ["@ffmpeg-installer/ffmpeg"];
/** The newest thing of Node the launcher is built on, crypto.randomUUIDv7, came with these. */
const engines = "^24.16.0 || >=26.1.0";
const bytesMax = 4_000_000;
const built = ["launcher", "dashboard", "sdk"];

const start = `#!/usr/bin/env node
// The \`kit\` command: the built launcher.
import * as crypto from "node:crypto";
// What is missing in an older Node would be said in words that help nobody.
if (crypto.randomUUIDv7 === undefined) {
  console.error(\`Kit needs Node.js 26, or 24.16 and newer; this is \${process.versions.node}. Get it from https://nodejs.org\`);
  process.exit(1);
}
// Node's notes on its own experimental parts are not for whoever runs a command.
process.removeAllListeners("warning");
await import("../dist/launcher/main.js");
`;

/** As the lock file has them: what was tested is what is installed. */
function exactly(root: string, names: readonly string[]): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`].version as string]));
}

function manifestOf(root: string): string {
  const { description, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name: "kit",
    version: versionOf(root),
    // Not published anywhere: the name belongs to somebody else there.
    private: true,
    description,
    license,
    type: "module",
    bin: { kit: "bin/kit.js" },
    engines: { node: engines },
    dependencies: exactly(root, needed),
    optionalDependencies: exactly(root, optional),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Writes kit-<version>.tgz into `target`, from what dist/ holds now. */
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
