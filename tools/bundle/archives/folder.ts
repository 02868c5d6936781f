// The folder of Kit that an archive and the setup for Windows contain: Node, the built launcher, dashboard and packages, the
// libraries that cannot be bundled, and a script that runs them.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { nodeFlags } from "../../../launcher/src/process/node-flags.ts";
import { isLicence, type Licensed, licenceOf, licencesFile, licencesText } from "../licences.ts";
import { type Files, readFiles } from "../sdk/archive.ts";
import type { System } from "./systems.ts";

/** System-specific parts. */
export type Parts = {
  /** The program of the system's Node. */
  readonly node: Uint8Array;
  readonly nodeLicence: string;
  /** Files of the keyring package for the system. */
  readonly keyring: Files;
};

export const isForWindows = ({ archive }: System): boolean => archive.endsWith(".zip");

/** Runs the Kit of its folder, also through a link to it. */
const shellScript = `#!/bin/sh
case $0 in */*) file=$0 ;; *) file=./$0 ;; esac
while [ -L "$file" ]; do
  target=$(readlink "$file")
  case $target in /*) file=$target ;; *) file=\${file%/*}/$target ;; esac
done
exec "\${file%/*}/node" ${nodeFlags.join(" ")} "\${file%/*}/launcher/main.js" "$@"
`;

const commandScript = `@"%~dp0node.exe" ${nodeFlags.join(" ")} "%~dp0launcher\\main.js" %*\r\n`;

/** Whether users must be able to run the file. Windows decides by the name. */
export const isProgram = (path: string): boolean => /^(?:kit\/)?(?:kit|node)$|\/MacOS\/[^/]+$/.test(path);

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

const packageFiles = (root: string, folder: string): Files =>
  readFiles(folder, ["**"], `${relative(root, folder).split(sep).join("/")}/`);

/** Files of the notification library, with the programs of one system only. */
function notifierFiles(root: string, { notifier }: System): Files {
  if (notifier === "none") return new Map();
  const all = [...withDependencies(root, "toasted-notifier")].flatMap((folder) => [...packageFiles(root, folder)]);
  return new Map(
    all.filter(
      ([path]) => !path.includes("/vendor/") || path.includes(`/vendor/${notifier}/`) || /LICENSE/i.test(path),
    ),
  );
}

/** Licences of the installed packages among the files, including those of bundled programs. */
function licencesAmong(files: Files): Licensed[] {
  const text = (content: Uint8Array) => Buffer.from(content).toString();
  const packageOf = (path: string) => path.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1] ?? "";
  return Object.entries(Object.groupBy(files, ([path]) => packageOf(path))).map(([folder, own = []]) => {
    const manifest = files.get(`${folder}/package.json`);
    if (manifest === undefined) throw new Error(`${folder} has no package.json, so its licence is not known.`);
    const texts = own.filter(([path]) => isLicence(basename(path))).map(([, content]) => text(content));
    return licenceOf(JSON.parse(text(manifest)), texts);
  });
}

function folderFiles(root: string, system: System, { node, nodeLicence, keyring }: Parts): Files {
  const libraries: Files = new Map([
    ...packageFiles(root, join(root, "node_modules/@napi-rs/keyring")),
    ...keyring,
    ...notifierFiles(root, system),
  ]);
  const ofNode = { title: `Node.js ${system.node.version}`, text: nodeLicence.trim() };
  const heading = "Beside the launcher and the dashboard, whose licences are in their folders, Kit's folder holds:";
  const [program, script, text] = isForWindows(system)
    ? ["node.exe", "kit.cmd", commandScript]
    : ["node", "kit", shellScript];
  return new Map([
    ["package.json", Buffer.from('{ "type": "module" }\n')],
    ["LICENSE", readFileSync(join(root, "LICENSE"))],
    [licencesFile, Buffer.from(licencesText(heading, [ofNode, ...licencesAmong(libraries)]))],
    [program, node],
    [script, Buffer.from(text)],
    ...readFiles(join(root, "dist"), ["{launcher,dashboard,sdk}/**"]),
    ...libraries,
  ]);
}

/** Writes the folder of one system from the present bundles in dist/. */
export function writeFolder(root: string, system: System, parts: Parts, target: string): void {
  for (const [path, content] of folderFiles(root, system, parts)) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (isProgram(path)) chmodSync(file, 0o755);
  }
}
