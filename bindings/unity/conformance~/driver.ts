// Plays a conformance plan in the stand-in's player, on .NET or on Mono: node driver.ts <netstandard2.1|net472> <plan.json>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathOf } from "../../../tools/engines/locate.ts";
import { type Command, playCases } from "../../monogame/conformance/play.ts";
import { apiLevels } from "../test~/assemblies.ts";
import { built } from "../test~/build.ts";
import type { Case } from "./script.ts";

const [apiWord, planPath = ""] = process.argv.slice(2);
const api = apiLevels.find((name) => name === apiWord);
if (api === undefined) throw new Error(`the first argument is ${apiLevels.join(" or ")}`);
const { cases } = JSON.parse(readFileSync(planPath, "utf8")) as { cases: Case[] };

const program = join(await built("player", api), "Conform.exe");
const command: Command = api === "net472" ? [pathOf("Mono"), program] : [pathOf(".NET"), "exec", program];
await playCases(cases, command);
