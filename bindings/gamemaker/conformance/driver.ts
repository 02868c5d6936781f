// Plays a conformance plan in GML: one game for all cases that may share one, a few for those that may not, and one for
// each that ends its game. `driver.ts <process|page> <plan.json>`: in processes of Node, or in pages of Chromium.
import { readFileSync } from "node:fs";
import { readProject, sdkPath } from "../test/game.ts";
import { loadBuiltIns, parserVersion } from "../test/translation/parser.ts";
import { loadTranslator } from "../test/translation/translate.ts";
import type { Job } from "./case-player.ts";
import { openPages } from "./pages.ts";
import { endsGame, type Plan } from "./plan.ts";
import { runProcess } from "./processes.ts";

const gamesAtOnce = 4;

const [place, planPath = ""] = process.argv.slice(2);
const { cases } = JSON.parse(readFileSync(planPath, "utf8")) as Plan;
const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);
await using stack = new AsyncDisposableStack();
const pages = place === "page" ? await openPages(stack, say) : undefined;
const run = pages?.run ?? ((job: Job) => runProcess(job, say));

const translate = await loadTranslator();
const game = { translated: translate({ scripts: [readProject(sdkPath)] }), builtIns: [...loadBuiltIns()] };
say({ engine: `GML (strict translation, parser ${parserVersion()})${pages ? ` in a page of ${pages.engine}` : ""}` });

const quitting = cases.filter(({ steps }) => steps.some(endsGame));
const together = cases.filter((one) => !one.alone && !quitting.includes(one));
const alone = cases.filter((one) => one.alone && !quitting.includes(one));

const jobs: Job[] = [];
if (together.length > 0) jobs.push({ ...game, cases: together, anew: false });
// A game of its own is a binding nobody has used before: all its state is GML's.
const share = Math.max(1, Math.ceil(alone.length / gamesAtOnce));
for (let from = 0; from < alone.length; from += share) {
  jobs.push({ ...game, cases: alone.slice(from, from + share), anew: true });
}
for (const one of quitting) jobs.push({ ...game, cases: [one], anew: true });

const waiting = jobs.values();
await Promise.all(
  Array.from({ length: gamesAtOnce }, async () => {
    for (const job of waiting) await run(job);
  }),
);
