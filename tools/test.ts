// `npm test`, `npm run test:engines`, `npm run test:slow`: provides the engines they need, bundles what is stale, and runs the tests.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const words = process.argv.slice(2);
const engines = words[0] === "quick" ? ["quick"] : [];
const steps = [
  ["engines/provide.ts", ...engines],
  ["bundle.ts", "--if-stale"],
  ["run-tests.ts", ...words],
];

for (const [script = "", ...given] of steps) {
  const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, script), ...given];
  const { status } = spawnSync(process.execPath, program, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
