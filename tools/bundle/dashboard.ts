// Builds the dashboard's pages with Vite, by its own configuration; only the folder is chosen here.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gatherLicences } from "./licences.ts";

type Vite = { build(options: object): Promise<unknown> };

export async function bundleDashboard(root: string, target: string): Promise<void> {
  const dashboard = join(root, "dashboard");
  // Vite is the dashboard's own dependency, so it is asked for from there.
  const vite = createRequire(join(dashboard, "package.json")).resolve("vite");
  const { build } = (await import(pathToFileURL(vite).href)) as Vite;
  const plugins = [gatherLicences(root, "The dashboard")];
  await build({ root: dashboard, logLevel: "warn", plugins, build: { outDir: target, emptyOutDir: true } });
}
