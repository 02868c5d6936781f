// `npm run bundle`: builds dist/launcher, dist/dashboard, dist/sdk and dist/npm; with --archives also dist/archives. With
// --if-stale, builds only those of the first three that are older than their sources, and starts no program except node.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packages } from "./bundle/sdk/packages.ts";
import { isStale, markBuilt } from "./bundle/staleness.ts";

type Bundle = {
  readonly name: string;
  /** The bundle is skipped if this file is missing. */
  readonly entry: string;
  /** A change in any of these makes the bundle stale. */
  readonly sources: readonly string[];
  readonly build: (root: string, target: string) => Promise<void>;
};

const root = join(import.meta.dirname, "..");
const onlyIfStale = process.argv.includes("--if-stale");
const builders = ["contract/src", "package-lock.json", "tools/bundle.ts", "tools/bundle"];

const bundles: readonly Bundle[] = [
  {
    name: "launcher",
    entry: "launcher/src/main.ts",
    sources: ["launcher/src", ...builders],
    // Imported on demand, because loading a bundler is slow and usually nothing is stale.
    build: async (root, target) => (await import("./bundle/launcher.ts")).bundleLauncher(root, target),
  },
  {
    name: "dashboard",
    entry: "dashboard/index.html",
    sources: ["dashboard/src", "dashboard/public", "dashboard/index.html", "dashboard/vite.config.ts", ...builders],
    build: async (root, target) => (await import("./bundle/dashboard.ts")).bundleDashboard(root, target),
  },
  {
    name: "sdk",
    entry: "bindings",
    sources: ["package.json", ...packages.flatMap((each) => each.sources), ...builders],
    build: async (root, target) =>
      (await import("./bundle/sdk.ts")).bundleSdk(root, target, { quick: onlyIfStale, last: join(root, "dist/sdk") }),
  },
];

/** Release files, built from the bundles; never by a start of the launcher. */
const releases = [
  {
    isAsked: true,
    make: async () => {
      const { bundleNpmPackage } = await import("./bundle/npm-package.ts");
      return await release("npm", (folder) => bundleNpmPackage(root, folder));
    },
  },
  {
    // Only on request, because it downloads Node for the other systems.
    isAsked: process.argv.includes("--archives"),
    make: async () => {
      const { bundleArchives } = await import("./bundle/archives.ts");
      return await release("archives", (folder) => bundleArchives(root, folder));
    },
  },
];

async function release(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const beganMs = Date.now();
  const { buildInto } = await import("./bundle/swap.ts");
  await buildInto(join(root, "dist", name), make);
  return `${name}: made in ${((Date.now() - beganMs) / 1000).toFixed(1)} s`;
}

async function bundleOne(bundle: Bundle, root: string): Promise<string> {
  if (!existsSync(join(root, bundle.entry))) return `${bundle.name}: no ${bundle.entry}`;
  const target = join(root, "dist", bundle.name);
  const sources = bundle.sources.map((source) => join(root, source));
  if (onlyIfStale && existsSync(target) && !isStale(`${target}.stamp`, sources)) return `${bundle.name}: up to date`;
  const beganMs = Date.now();
  const { buildInto } = await import("./bundle/swap.ts");
  await buildInto(target, (folder) => bundle.build(root, folder));
  markBuilt(`${target}.stamp`, beganMs);
  return `${bundle.name}: built in ${((Date.now() - beganMs) / 1000).toFixed(1)} s`;
}

const said: string[] = [];
for (const bundle of bundles) said.push(await bundleOne(bundle, root));
for (const release of onlyIfStale ? [] : releases) if (release.isAsked) said.push(await release.make());
console.log(`${said.join(", ")} (${Math.round(performance.now())} ms)`);
