// GameMaker's part of the corpus. GameMaker's runner is not available, so messages come from a translation of kit_sdk.gml, and
// stacks follow GameMaker's manual and are marked as not run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readProject, sdkPath } from "../../bindings/gamemaker/test/game.ts";
import { startMachine } from "../../bindings/gamemaker/test/runtime/machine.ts";
import { loadBuiltIns } from "../../bindings/gamemaker/test/translation/parser.ts";
import { loadTranslator } from "../../bindings/gamemaker/test/translation/translate.ts";
import { type Made, type Variant, variants } from "./made.ts";

const source = readFileSync(join(import.meta.dirname, "gml/faults.gml.txt"), "utf8");
const functions = [...source.matchAll(/^function (\w+)/gm)].map(([, name]) => name as string);

async function translated(): Promise<Made[]> {
  const translate = await loadTranslator();
  const code = translate({ scripts: [readProject(sdkPath), source] });
  const builtIns = loadBuiltIns();
  return variants.flatMap(({ seed }) =>
    functions.map((name) => {
      let body = "";
      const send = (_url: string, _method: string, _headers: Record<string, string>, text: string) => {
        body = text;
      };
      startMachine(code, { builtIns, send }).functions[name]?.(seed);
      const { message, stackTrace } = JSON.parse(body);
      const group = `gamemaker game: ${name}`;
      return { engine: "GML (translated)", form: "message alone", group, ran: true, message, stackTrace };
    }),
  );
}

type Fault = {
  readonly name: string;
  readonly place: string;
  readonly callers: readonly string[];
  says(n: number): string;
};

/** Messages and names from the manual and public crash reports. */
const faults: readonly Fault[] = [
  {
    name: "hp not set",
    place: "gml_Object_obj_player_Step_0",
    callers: [],
    says: (n) => `Variable obj_player.hp(${100_000 + n}, -2147483648) not set before reading it.`,
  },
  {
    name: "speed not set",
    place: "gml_Object_obj_player_Step_0",
    callers: [],
    says: (n) => `Variable obj_player.top_speed(${100_100 + n}, -2147483648) not set before reading it.`,
  },
  {
    name: "hp not set in the end step",
    place: "gml_Object_obj_player_Step_2",
    callers: [],
    says: (n) => `Variable obj_player.hp(${100_000 + n}, -2147483648) not set before reading it.`,
  },
  {
    name: "slot out of range",
    place: "gml_Script_inventory_slot",
    callers: ["gml_Object_obj_shop_Alarm_0", "gml_Object_obj_chest_Mouse_4"],
    says: (n) => `Variable Index [${n}] out of range [20] - -1.slots(${100_200 + n},${n})`,
  },
  {
    name: "adding text",
    place: "gml_Script_score_add",
    callers: ["gml_Object_obj_coin_Collision_obj_player"],
    says: () => "DoAdd :: Execution Error",
  },
  {
    name: "anonymous function",
    place: "gml_Script_anon@{n}@gml_Object_obj_menu_Create_0",
    callers: ["gml_Object_obj_menu_Draw_64"],
    says: (n) => `Unable to find instance for object index ${n}`,
  },
  {
    name: "unknown function in struct",
    place: "gml_Script_cast@Spell",
    callers: ["gml_Object_obj_mage_Step_0"],
    says: (n) => `Variable <unknown_object>.cast_effect(${100_300 + n}, -2147483648) not set before reading it.`,
  },
];

function stackOf({ place, callers }: Fault, { seed, shift }: Variant): [string, number][] {
  // Functions are called from different events, and anonymous functions are named after their position in the file.
  const caller = callers[seed % Math.max(1, callers.length)];
  const line = 12 + shift;
  const own: [string, number] = [place.replace("{n}", String(200 + shift * 31)), line];
  return caller === undefined ? [own] : [own, [caller, line - 9]];
}

function written(fault: Fault, variant: Variant): Made {
  const message = fault.says(variant.seed);
  const stack = stackOf(fault, variant);
  const lines = stack.map(([name, line]) => `${name} (line ${line})`);
  const bar = "#".repeat(92);
  const long = `${"_".repeat(43)}\n${bar}\nERROR in\naction number 1\nof  Step Event0\nfor object obj_player:\n\n${message}\n at ${lines[0]} -        x = y;\n${bar}\n${lines.join("\n")}\n`;
  const shared = { engine: "GML (form)", group: `gamemaker form: ${fault.name}`, ran: false };
  const forms: Pick<Made, "form" | "message" | "stackTrace">[] = [
    { form: "message and stacktrace", message, stackTrace: lines.join("\n") },
    { form: "longMessage and stacktrace", message: long, stackTrace: lines.join("\n") },
    {
      form: "message and debug_get_callstack()",
      message,
      stackTrace: `[ ${[...stack.map(([name, line]) => `"${name}:${line}"`), "0"].join(",")} ]`,
    },
    { form: "message and longMessage", message, stackTrace: long },
    {
      form: "message and lines of debug_get_callstack()",
      message,
      stackTrace: stack.map(([a, b]) => `${a}:${b}`).join("\n"),
    },
  ];
  return { ...shared, ...(forms[variant.shift % forms.length] as (typeof forms)[number]) };
}

export async function gmlReports(): Promise<Made[]> {
  const forms = faults.flatMap((fault) => variants.map((variant) => written(fault, variant)));
  return [...(await translated()), ...forms];
}

/** The same reports as Unity's IL2CPP would show them, without lines and offsets. Not run. */
export function il2cppForms(made: readonly Made[]): Made[] {
  const ofMono = made.filter(({ engine, form }) => engine === "Mono" && form === "trace, debug");
  return ofMono.map((report) => {
    const lines = report.stackTrace.split("\n").map((line) => {
      const end = line.indexOf(" [0x");
      return end < 0 ? line : `${line.slice(0, end)} [0x00000] in <00000000000000000000000000000000>:0 `;
    });
    return { ...report, engine: "IL2CPP (form)", form: "trace", ran: false, stackTrace: lines.join("\n") };
  });
}
