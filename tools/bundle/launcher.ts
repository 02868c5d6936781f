// Bundles the launcher into a folder that mirrors launcher/src: .ts files become .js, all other files are copied.
import { cpSync, existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Plugin, type RolldownPlugin, rolldown } from "rolldown";
import { gatherLicences } from "./licences.ts";

/** Entry points of processes and threads. */
const entryPoints = [
  "main",
  "storage/threads/writer",
  "storage/threads/reader",
  "storage/threads/database-file-thread",
  "recording/capture/thread/capture-thread",
  "process/session-end-thread",
  "secrets/keyring-process",
  "games/process-lookup/native/lookup-process",
  "recording/shortcuts/windows-process",
];

/** Variable with the URL of the bundle's folder, in every built file. */
const bundleUrl = "__kitBundleUrl";

const posix = (path: string) => path.split(sep).join("/");

/**
 * Bundlers move modules between files, which breaks paths derived from `import.meta.url`. This plugin replaces it, so that
 * launcher/src/a/b.ts still sees <bundle>/a/b.js.
 */
function keepAddresses(source: string): Plugin {
  return {
    name: "keep-addresses",
    transform: {
      filter: { id: /\.ts$/, code: "import.meta.url" },
      handler(code, id) {
        const path = posix(relative(source, id));
        if (path.startsWith("..")) return null;
        const address = JSON.stringify(path.replace(/\.ts$/, ".js"));
        return { code: code.replaceAll("import.meta.url", `new URL(${address}, ${bundleUrl}).href`), map: null };
      },
    },
  };
}

/** Escapes non-ASCII characters, because V8 stores a source with any of them at two bytes per character. */
const onlyAscii: Plugin = {
  name: "only-ascii",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

function bannerOf(chunk: { fileName: string }): string {
  const up = "../".repeat(chunk.fileName.split("/").length - 1) || "./";
  return `const ${bundleUrl} = new URL(${JSON.stringify(up)}, import.meta.url);`;
}

/** Copies files that are read at run time, such as the schema. */
function copyPlainFiles(source: string, target: string): void {
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.(sql|txt|html|svg|png|ico)$/.test(entry.name)) {
      cpSync(from, join(target, relative(source, from)));
    }
  }
}

export async function bundleLauncher(root: string, target: string): Promise<void> {
  const source = join(root, "launcher/src");
  const entries = entryPoints.filter((name) => existsSync(join(source, `${name}.ts`)));
  const plugins: RolldownPlugin[] = [keepAddresses(source), onlyAscii, gatherLicences(root, "The launcher")];
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(source, `${name}.ts`)])),
    cwd: root,
    platform: "node",
    plugins,
    onLog(level, log, print) {
      // fastify and ajv generate functions at run time by design.
      if (log.code !== "EVAL") print(level, log);
    },
  });
  await bundle.write({
    dir: target,
    format: "esm",
    entryFileNames: "[name].js",
    // Names without hashes let a running launcher find its chunks after a rebuild.
    chunkFileNames: "parts/[name].js",
    banner: bannerOf,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  copyPlainFiles(source, target);
}
