// The files inside an executable: the built launcher, dashboard and packages, and native libraries.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { isLicence, type Licensed, licenceOf, licencesFile, licencesText } from "../licences.ts";
import { type PackedFile, sha256Of } from "./boot/unpack.ts";
import type { System } from "./systems.ts";

export type PayloadFile = { readonly path: string; readonly content: Uint8Array; readonly program: boolean };

export type Payload = {
  readonly id: string;
  /** List of files as JSON. */
  readonly list: string;
  /** Compressed contents of all files. */
  readonly contents: Uint8Array;
};

/** System-specific parts. */
export type Parts = {
  /** Path of the system's Node. */
  readonly node: string;
  readonly nodeLicence: string;
  /** Files of the keyring package for the system. */
  readonly keyring: readonly PayloadFile[];
};

const built = ["launcher", "dashboard", "sdk"];
const posix = (path: string) => path.split(sep).join("/");

/** Imports the launcher, which is an ES module, from the CommonJS boot code. */
const enter = `import(require("node:url").pathToFileURL(process.argv[1]).href);\n`;

const textFile = (path: string, text: string): PayloadFile => ({
  path,
  content: Buffer.from(text),
  program: false,
});

/** All files below `folder`, with paths relative to `base`. */
export function filesBelow(base: string, folder: string): PayloadFile[] {
  return globSync("**", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: posix(relative(base, file)),
      content: readFileSync(file),
      program: (statSync(file).mode & 0o100) !== 0,
    }));
}

function folderOf(root: string, name: string, from: string): string {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(folder)) return folder;
    if (at === root || at === dirname(at)) throw new Error(`${name} is not installed. Run: npm ci`);
  }
}

/** Folders of an installed package and its dependencies. */
function withDependencies(root: string, name: string, from = root, seen: Set<string> = new Set()): Set<string> {
  const folder = folderOf(root, name, from);
  if (seen.has(folder)) return seen;
  seen.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const each of Object.keys(dependencies)) withDependencies(root, each, folder, seen);
  return seen;
}

/** Files of the notification library, with the programs of one system only. */
function notifierFiles(root: string, { notifier }: System): PayloadFile[] {
  if (notifier === "none") return [];
  const all = [...withDependencies(root, "toasted-notifier")].flatMap((folder) => filesBelow(root, folder));
  const unique = new Map(all.map((file) => [file.path, file]));
  return [...unique.values()]
    .filter(({ path }) => !path.includes("/vendor/") || path.includes(`/vendor/${notifier}/`) || /LICENSE/i.test(path))
    .map((file) => (/\/MacOS\/|\.exe$/.test(file.path) ? { ...file, program: true } : file));
}

/** Licences of the installed packages among the files, including those of bundled programs. */
function licencesAmong(files: readonly PayloadFile[]): Licensed[] {
  const text = ({ content }: PayloadFile) => Buffer.from(content).toString();
  const folderOf = (path: string) => path.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
  return Object.entries(Object.groupBy(files, ({ path }) => folderOf(path) ?? "")).map(([folder, own = []]) => {
    const manifest = own.find(({ path }) => path === `${folder}/package.json`);
    if (manifest === undefined) throw new Error(`${folder} has no package.json, so its licence is not known.`);
    return licenceOf(JSON.parse(text(manifest)), own.filter(({ path }) => isLicence(basename(path))).map(text));
  });
}

/** All files for one system. */
export function payloadFiles(root: string, system: System, { keyring, nodeLicence }: Parts): PayloadFile[] {
  const libraries = [
    ...filesBelow(root, join(root, "node_modules/@napi-rs/keyring")),
    ...keyring,
    ...notifierFiles(root, system),
  ];
  const node = { title: `Node.js ${system.node.version}`, text: nodeLicence.trim() };
  const heading = "Beside the launcher and the dashboard, whose licences lie in their folders, this file holds:";
  return [
    textFile("package.json", '{ "type": "module" }\n'),
    textFile("enter.cjs", enter),
    textFile(licencesFile, licencesText(heading, [node, ...licencesAmong(libraries)])),
    ...built.flatMap((name) => filesBelow(join(root, "dist"), join(root, "dist", name))),
    ...libraries,
  ];
}

export function pack(files: readonly PayloadFile[]): Payload {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const said = inOrder.map(
    ({ path, content, program }): PackedFile => ({ path, bytes: content.length, sha256: sha256Of(content), program }),
  );
  const id = sha256Of(Buffer.from(JSON.stringify(said))).slice(0, 32);
  const contents = zstdCompressSync(Buffer.concat(inOrder.map(({ content }) => content)), {
    params: { [constants.ZSTD_c_compressionLevel]: 19 },
  });
  return { id, list: JSON.stringify({ id, files: said }), contents };
}
