// Builds the dashboard with Vite and its own configuration, into the given folder.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gatherLicences } from "./licences.ts";

type Vite = { build(options: object): Promise<unknown> };

export async function bundleDashboard(root: string, target: string): Promise<void> {
  const dashboard = join(root, "dashboard");
  // Resolved from the dashboard, which declares the dependency.
  const vite = createRequire(join(dashboard, "package.json")).resolve("vite");
  const { build } = (await import(pathToFileURL(vite).href)) as Vite;
  const plugins = [gatherLicences(root, "The dashboard")];
  await build({ root: dashboard, logLevel: "warn", plugins, build: { outDir: target, emptyOutDir: true } });
}
