// Plays a conformance plan in the stand-in's game loop on .NET: node driver.ts <plan.json>
import { readFileSync } from "node:fs";
import { pathOf } from "../../../tools/engines/locate.ts";
import type { Case } from "../../unity/conformance~/script.ts";
import { built } from "./build.ts";
import { playCases } from "./play.ts";

const { cases } = JSON.parse(readFileSync(process.argv.at(-1) as string, "utf8")) as { cases: Case[] };
await playCases(cases, [pathOf(".NET"), "exec", await built("Conform")]);
