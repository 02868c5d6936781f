// `npm run check`: runs all checks, even after a failure, and prints each result with its duration.
// `npm run check -- layers names` runs only these.
import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { repositoryRoot } from "./check/findings.ts";

type Check = { readonly name: string; readonly command: string; readonly remedy?: string };
type Outcome = Check & { readonly passed: boolean; readonly output: string; readonly seconds: number };

const translations = "texts of the launcher";

/** Longest first, because two checks run at a time. */
const checks: readonly Check[] = [
  { name: "types", command: "tsc -p ." },
  { name: "types of the dashboard", command: "tsc -p dashboard" },
  { name: "what nobody uses", command: "knip --no-progress" },
  {
    name: "format and lint",
    command: "biome ci --colors=off --error-on-warnings --max-diagnostics=50",
    remedy: "npx biome check --write",
  },
  { name: "OpenAPI", command: "node tools/openapi.ts && redocly lint dist/openapi.json --format=stylish" },
  { name: "texts", command: "cd dashboard && i18next-cli lint --quiet && i18next-cli extract --ci --quiet" },
  { name: "layers", command: "node tools/check-layers.ts" },
  { name: "sizes", command: "node tools/check-size.ts" },
  { name: translations, command: "node tools/check-translations.ts" },
  { name: "names", command: "node tools/check-names.ts" },
  { name: "promises", command: "node tools/check-promises.ts" },
  { name: "workflows", command: "node tools/check-workflows.ts" },
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

function tell({ name, remedy, passed, output, seconds }: Outcome): void {
  console.log(`${passed ? "✔" : "✖"} ${name} (${seconds.toFixed(1)} s)`);
  // Output of passed checks is hidden, except the list of untranslated sentences.
  if (passed && name === translations && output !== "") console.log(`${output.replace(/^/gm, "  ")}\n`);
  if (passed) return;
  console.log(`${output.replace(/^/gm, "  ")}\n`);
  console.log(`  To check only this again: npm run check -- "${name}"`);
  console.log(remedy === undefined ? "" : `  What it can repair itself: ${remedy}\n`);
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

const named = process.argv.slice(2);
const unknown = named.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(", ")}. There are: ${checks.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const isAsked = ({ name }: Check) => named.length === 0 || named.includes(name);
const outcomes = await runAll(checks.filter(isAsked));
const failed = outcomes.filter(({ passed }) => !passed);
const seconds = (performance.now() / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `\n${outcomes.length} checks passed in ${seconds} s`
    : `\n${failed.length} of ${outcomes.length} checks failed in ${seconds} s: ${failed.map(({ name }) => name).join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
