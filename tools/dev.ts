// `npm run dev`: the launcher from its sources, restarted on every change, and the dashboard built anew on every change.
// Flags go to the launcher: npm run dev -- --port 9999
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./check/findings.ts";

const dashboard = join(repositoryRoot, "dashboard");
const vite = join(dirname(createRequire(join(dashboard, "package.json")).resolve("vite/package.json")), "bin/vite.js");

// Built, not served by Vite: the launcher then hands out the very files, headers and addresses that a player gets.
const commands = [
  [
    "--watch",
    "--watch-preserve-output",
    "--disable-warning=ExperimentalWarning",
    "launcher/src/main.ts",
    "start",
    ...process.argv.slice(2),
  ],
  [vite, "build", dashboard, "--watch", "--clearScreen", "false"],
];

/** A group of its own, so that Ctrl-C reaches this process only and each child is asked to end once. */
function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: repositoryRoot,
    stdio: "inherit",
    detached: process.platform !== "win32",
  });
}

const children = commands.map(start);

function endAll(): void {
  for (const child of children) child.kill("SIGTERM");
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, endAll);
for (const child of children) {
  child.on("exit", (code) => {
    // One without the other is no use; whoever ended first says how it went.
    process.exitCode ??= code ?? 0;
    endAll();
  });
}
