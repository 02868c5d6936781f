// `kit demo`: plays a made-up game, says what it sends as it happens, and at the end what became of each.
import {
  type DemoPart,
  demoGame,
  demoSeconds,
  type ReceiptEntry,
  type StoredAmounts,
  undoWipe,
  wipeGame,
} from "@kit/contract";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import { readWhole } from "./arguments.ts";
import { type Connection, connect, Unreachable } from "./connection.ts";
import { type DemoEnd, play, type Teller } from "./demo/play.ts";
import { type DemoWindow, openWindow } from "./demo/window.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printJsonLine, styled } from "./output.ts";
import { visible } from "./visible.ts";

type DemoFlags = CommonFlags & { seconds: number; window: boolean; wipe?: boolean; undo?: boolean };

const help = `
The game is called kit_demo. It sends what a binding would: moments worth a clip, the same error twice, a post. What comes
of it is kept like that of any game, until it is wiped:
  kit demo --wipe          wipes all of it, half a minute later
  kit demo --wipe --undo   leaves it as it is
Escape, closing its window and Ctrl-C end it. Nothing of it leaves this machine.`;

/** With the reason why there is none. */
type MaybeWindow = { readonly window?: DemoWindow; readonly why: string };

async function windowFor({ display, wayland }: Config, wanted: boolean): Promise<MaybeWindow> {
  if (!wanted) return { why: "It plays without a window, as asked." };
  if (!display) {
    const why = wayland ? "it draws by X, and this session has only Wayland" : "there is no X display";
    return { why: `It plays without a window: ${why}.` };
  }
  try {
    return { window: await openWindow(display), why: "Its window is open. Escape closes it, and ends the demo." };
  } catch (error) {
    return { why: `It plays without a window: ${(error as Error).message}.` };
  }
}

const partNames: Record<DemoPart, string> = {
  started: "the start",
  streak: "the five stars",
  jewel: "the jewel",
  error: "the error",
  again: "the error again",
  boss: "the boss",
  score: "the high score",
};

const inWords = (
  part: DemoPart,
  { state, reason }: Pick<ReceiptEntry, "state"> & { reason?: string | null | undefined },
) => `${partNames[part]}: ${state}${reason ? `, ${visible(reason)}` : ""}`;

function printEnd({ says, outcomes, session }: DemoEnd): void {
  print("");
  print(styled("bold", says));
  for (const { part, event, clip, issue, post, ...receipt } of outcomes) {
    const look = [
      ...(clip === null ? [] : [`kit clip ${clip}`]),
      ...(issue === null ? [] : [`kit issue ${issue}`]),
      ...(post === null ? [] : ["kit posts"]),
    ];
    print(`  ${inWords(part, receipt)}`);
    print(styled("dim", `      ${look.length > 0 ? look.join("   ") : `kit show ${event}`}`));
  }
  if (session !== null) print(`  All of it on one track: kit sessions ${session}`);
  print("");
  print("Look at it in the dashboard: kit open. Wipe it: kit demo --wipe");
}

const forPeople: Teller = {
  phase: (_, says) => print(`${styled("bold", "now:")} ${visible(says)}`),
  second: () => undefined,
  receipt: (part, entry) => print(styled("dim", `     ${inWords(part, entry)}`)),
  ended: printEnd,
};

const forPrograms: Teller = {
  phase: (phase, says) => printJsonLine({ type: "phase", phase, says }),
  second: (second) => printJsonLine({ type: "second", second: Math.floor(second) }),
  receipt: (part, entry) => printJsonLine({ type: "receipt", part, ...entry }),
  ended: (end) => printJsonLine({ type: "ended", ...end }),
};

/** Ends it cleanly on the signals a person or a system sends, and when its window is closed. */
function stopSignal(window: DemoWindow | undefined): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  return window === undefined ? stop.signal : AbortSignal.any([stop.signal, window.closed]);
}

async function demo(config: Config, { seconds, window: wanted, json }: DemoFlags): Promise<void> {
  const connection = await connect(config);
  const { window, why } = await windowFor(config, wanted);
  const stop = stopSignal(window);
  const tell = json ? forPrograms : forPeople;
  if (json) printJsonLine({ type: "begins", seconds, window: window !== undefined });
  tell.phase("waiting", `Kit's demo plays for ${seconds} seconds. ${why}`);
  try {
    await play({ connection, seconds, window, tell, stop });
  } catch (error) {
    // fetch's own error: nobody answers any more.
    if (!(error instanceof TypeError)) throw error;
    throw new Unreachable("The launcher is gone, and the demo with it. What was acknowledged is kept.");
  }
}

const heldWords = ({ events, clips, issues, posts, sessions }: StoredAmounts) =>
  `${events} events, ${clips} clips, ${issues} issues, ${posts} posts and ${sessions} sessions`;

async function wipe({ client }: Connection, { undo, json }: DemoFlags): Promise<void> {
  if (undo) {
    await client.call(undoWipe, { query: { game: demoGame } });
    return json ? printJson({ undone: true }) : print("The demo is left as it is.");
  }
  const planned = await client.call(wipeGame, { body: { game: demoGame } });
  if (json) return printJson(planned);
  print(`The demo is wiped at ${new Date(planned.dueAt).toLocaleTimeString("en-GB")}: ${heldWords(planned.holdings)}.`);
  print("Until then `kit demo --wipe --undo` leaves it as it is.");
}

export function demoCommand(): Command {
  const { min, max, usual } = demoSeconds;
  return command("demo", "Play a made-up game, to see all of Kit work")
    .option("--seconds <n>", `how long it plays, ${min} to ${max}`, readWhole(min, max), usual)
    .option("--no-window", "play without a window")
    .option("--wipe", "wipe all it sent")
    .option("--undo", "with --wipe: leave it after all")
    .addHelpText("after", help)
    .action(async (flags: DemoFlags) => {
      const config = configOf(flags);
      return flags.wipe ? wipe(await connect(config), flags) : demo(config, flags);
    });
}
