// Builds the dashboard with Vite and its own configuration, into the given folder.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { gatherLicences } from "./licences.ts";

type Vite = { build(options: object): Promise<unknown> };

/** Stores a compressed copy beside each script and style, so that the launcher need not compress anything beside a game. */
function compressAssets(target: string): void {
  for (const name of globSync("assets/*.{js,css}", { cwd: target })) {
    const file = join(target, name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

export async function bundleDashboard(root: string, target: string): Promise<void> {
  const dashboard = join(root, "dashboard");
  // Resolved from the dashboard, which declares the dependency.
  const vite = createRequire(join(dashboard, "package.json")).resolve("vite");
  const { build } = (await import(pathToFileURL(vite).href)) as Vite;
  const plugins = [gatherLicences(root, "The dashboard")];
  await build({ root: dashboard, logLevel: "warn", plugins, build: { outDir: target, emptyOutDir: true } });
  compressAssets(target);
}
