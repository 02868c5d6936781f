// `npm test`, `npm run test:engines`, `npm run test:slow`: provides the engines, bundles what is stale, and runs the tests.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const steps = [["engines/provide.ts"], ["bundle.ts", "--if-stale"], ["run-tests.ts", ...process.argv.slice(2)]];

for (const [script = "", ...words] of steps) {
  const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, script), ...words];
  const { status } = spawnSync(process.execPath, program, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
