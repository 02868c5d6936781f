// `npm run check`: runs all checks, even after a failure, and prints each result with its duration.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { repositoryRoot } from "./check/findings.ts";

type Check = { readonly name: string; readonly command: string };
type Outcome = Check & { readonly passed: boolean; readonly output: string; readonly seconds: number };

const translations = "texts of the launcher";

/** Longest first, because two checks run at a time. */
const checks: readonly Check[] = [
  { name: "types", command: "tsc -p ." },
  { name: "types of the dashboard", command: "tsc -p dashboard" },
  { name: "what nobody uses", command: "knip --no-progress" },
  { name: "format and lint", command: "biome ci --colors=off --error-on-warnings --max-diagnostics=50" },
  { name: "OpenAPI", command: "redocly lint contract/openapi.json --format=stylish" },
  { name: "generated files", command: "node tools/check-generated.ts" },
  { name: "texts", command: "cd dashboard && i18next-cli lint --quiet && i18next-cli extract --ci --quiet" },
  { name: "layers", command: "node tools/check-layers.ts" },
  { name: "sizes", command: "node tools/check-size.ts" },
  { name: translations, command: "node tools/check-translations.ts" },
  { name: "names", command: "node tools/check-names.ts" },
  { name: "promises", command: "node tools/check-promises.ts" },
  { name: "paths in documents", command: "node tools/check-documents.ts" },
];

const environment = {
  ...process.env,
  PATH: `${join(repositoryRoot, "node_modules/.bin")}${delimiter}${process.env.PATH}`,
  // Checks must not use the network.
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};

function run(check: Check): Promise<Outcome> {
  const beganMs = performance.now();
  const child = spawn(check.command, { cwd: repositoryRoot, env: environment, shell: true });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const seconds = (performance.now() - beganMs) / 1000;
      resolve({ ...check, passed: code === 0, output: Buffer.concat(chunks).toString("utf8").trim(), seconds });
    });
  });
}

function tell({ name, command, passed, output, seconds }: Outcome): void {
  console.log(`${passed ? "✔" : "✖"} ${name} (${seconds.toFixed(1)} s)`);
  // Output of passed checks is hidden, except the list of untranslated sentences.
  if (passed && name === translations && output !== "") console.log(`${output.replace(/^/gm, "  ")}\n`);
  if (!passed) console.log(`  ${command}\n${output.replace(/^/gm, "  ")}\n`);
}

async function runAll(waiting: Check[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = await run(next);
      tell(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all([work(), work()]);
  return outcomes;
}

const isThere = ({ command }: Check) =>
  command !== "tsc -p dashboard" || existsSync(join(repositoryRoot, "dashboard/tsconfig.json"));

const outcomes = await runAll(checks.filter(isThere));
const failed = outcomes.filter(({ passed }) => !passed);
const seconds = (performance.now() / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `\n${outcomes.length} checks passed in ${seconds} s`
    : `\n${failed.length} of ${outcomes.length} checks failed in ${seconds} s: ${failed.map(({ name }) => name).join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
