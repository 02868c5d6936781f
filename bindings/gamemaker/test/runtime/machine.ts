// Runs translated GML: gives it operators, globals and built-ins, and lets a test inspect the state afterwards.
import type { BuiltIn } from "../translation/parser.ts";
import type { Translated } from "../translation/translate.ts";
import { type Clock, realClock, timeFunctions, type Zone, zones } from "./clocks.ts";
import { httpFunction, type Send } from "./http.ts";
import { type Maps, mapFunctions, mapOf } from "./maps.ts";
import { type Functions, fits, texts, values } from "./texts.ts";
import * as operators from "./values.ts";

const { fail, GmlError, GmlStruct, number, text, typeOf } = operators;

export type MachineNeeds = {
  readonly builtIns: ReadonlyMap<string, BuiltIn>;
  readonly send: Send;
  readonly clock?: Clock;
  /** The version in the game options. */
  readonly version?: string;
  /** Built-ins of a test, which replace or extend the standard ones. */
  readonly functions?: Functions;
  readonly isBrowser?: boolean;
};

type Call = (...given: unknown[]) => unknown;

export type Machine = {
  readonly functions: Readonly<Record<string, Call>>;
  readonly events: Readonly<Record<string, () => void>>;
  /** The struct `global`. */
  readonly global: operators.GmlStruct;
  /** The instance whose events run. */
  readonly self: operators.GmlStruct;
  readonly maps: Maps;
  readonly zone: Zone;
  /** What the player and the console saw, in order. */
  readonly shown: string[];
  /** Ends the game as the runner does with an error that nobody caught. Returns the exit code. */
  readonly unhandled: (error: unknown) => unknown;
};

/** The struct that GML's catch receives. */
function exception(error: unknown): operators.GmlStruct {
  const message = error instanceof Error ? error.message : String(error);
  // A bug in this translation is not an error of the game, so the game must not catch it.
  const isGame = error instanceof GmlError || (error as { code?: unknown }).code !== undefined;
  if (!isGame) throw error;
  return new GmlStruct([
    ["message", message],
    ["longMessage", message],
    ["script", ""],
    ["stacktrace", ["gml_Script_f (line 1)"]],
  ]);
}

function checkedCall(builtIns: MachineNeeds["builtIns"], functions: Functions): Call {
  return (name, ...given) => {
    const builtIn = builtIns.get(name as string);
    const run = functions[name as string] as Call | undefined;
    if (run === undefined || builtIn?.kind !== "function") return fail(`built-in ${name} is not in this runtime`);
    given.forEach((value, index) => {
      const types = builtIn.types[Math.min(index, builtIn.types.length - 1)] ?? "Any";
      if (!fits(value, types)) fail(`${name}: argument ${index + 1} is ${typeOf(value)}, expected ${types}`);
    });
    return run(...given);
  };
}

/** Starts a game. Code outside of functions runs now. */
export function startMachine({ code }: Translated, needs: MachineNeeds): Machine {
  const state = {
    global: new GmlStruct([]),
    self: new GmlStruct([]),
    maps: new Map() as Maps,
    zone: { current: zones.timezone_local },
    shown: [] as string[],
  };
  let handler: Call | undefined;
  const functions: Functions = {
    ...texts,
    ...values,
    ...timeFunctions(needs.clock ?? realClock(), state.zone),
    ...mapFunctions(state.maps),
    http_request: httpFunction(needs.send, (id) => mapOf(state.maps, id)),
    variable_global_exists: (name: string) => state.global.members.has(name),
    debug_get_callstack: () => ["gml_Object_obj_demo_Create_0:1", 0],
    exception_unhandled_handler: (next: Call | undefined) => {
      const before = handler;
      handler = next;
      return before;
    },
    show_message: (said: string) => void state.shown.push(`message: ${said}`),
    show_debug_message: (said: string) => void state.shown.push(said),
    ...needs.functions,
  };
  const constants: Readonly<Record<string, string | number>> = {
    ...zones,
    GM_version: needs.version ?? "",
    browser_not_a_browser: -1,
    os_browser: needs.isBrowser ? 3 : -1,
  };
  const runtime = {
    ...operators,
    ...state,
    num: number,
    string: text,
    exception,
    struct: (members: [string, unknown][]) => new GmlStruct(members),
    call: checkedCall(needs.builtIns, functions),
    function: (value: unknown) => (typeof value === "function" ? value : fail(`${typeOf(value)} is no function`)),
    builtIn: (name: string) => constants[name] ?? fail(`built-in ${name} is not in this runtime`),
  };
  const run = new Function("rt", code) as (rt: object) => Pick<Machine, "functions" | "events">;
  const unhandled = (error: unknown) => {
    const thrown = exception(error);
    // Without a handler, the runner shows the message in a window.
    if (handler === undefined) state.shown.push(`window: ${String(thrown.members.get("longMessage"))}`);
    return handler?.(thrown);
  };
  return { ...state, unhandled, ...run(runtime) };
}
