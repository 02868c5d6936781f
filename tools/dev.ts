// `npm run dev`: runs the launcher from its sources, and restarts it and rebuilds the dashboard on every change.
// Flags are passed to the launcher: npm run dev -- --port 9999
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./repository.ts";

const dashboard = join(repositoryRoot, "dashboard");
const vite = join(dirname(createRequire(join(dashboard, "package.json")).resolve("vite/package.json")), "bin/vite.js");

// The dashboard is built instead of served by Vite, so that files, headers and addresses are the same as for players.
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

/** Starts the child in its own process group, so that Ctrl-C does not signal it twice. */
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
    // If one process ends, the other is stopped. The first exit code counts.
    process.exitCode ??= code ?? 0;
    endAll();
  });
}
