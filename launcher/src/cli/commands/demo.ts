// `kit demo`: plays a made-up game, reports each event it sends, and finally the outcome of each.

import {
  type Client,
  type DemoStep,
  demoGame,
  demoSeconds,
  type MessageOrText,
  type ReceiptEntry,
  type StoredAmounts,
  undoWipe,
  wipeGame,
} from "@kit/contract";
import { type Config, kitCommandInWords } from "../../config.ts";
import {
  answer,
  type CommandContext,
  command,
  integerParser,
  negatedFlag,
  parsedFlag,
  toggleFlag,
  withDefault,
} from "../command.ts";
import { Unreachable } from "../connection.ts";
import { escapeInvisible, print, printJsonLine, say, withStyle } from "../output.ts";
import { type DemoEnd, DemoPlayer, type DemoReporter } from "./demo/play.ts";
import { type DemoWindow, openDemoWindow } from "./demo/window.ts";

const help = `
The game is called kit_demo. It sends the same events as a real game: clip-worthy moments, one error twice, and a post trigger.
Its clips, issues and posts are stored like those of any game until you wipe them:
  kit demo --wipe          wipe everything in half a minute
  kit demo --wipe --undo   cancel the wipe
Escape, Ctrl-C or closing the window ends the demo. The demo sends nothing to other computers.`;

/** The demo's window, or in `why` the reason why there is none. */
type MaybeWindow = { readonly window?: DemoWindow; readonly why: string };

async function openWindowIfPossible({ display, isWayland: wayland }: Config, wanted: boolean): Promise<MaybeWindow> {
  if (!wanted) return { why: "It plays without a window, because of --no-window." };
  if (!display) {
    const why = wayland ? "the demo needs X11, and this session has only Wayland" : "there is no X display";
    return { why: `It plays without a window: ${why}.` };
  }
  try {
    return { window: await openDemoWindow(display), why: "Its window is open. Press Escape to end the demo." };
  } catch (error) {
    return { why: `It plays without a window: ${(error as Error).message}.` };
  }
}

const partNames: Record<DemoStep, string> = {
  started: "the start",
  streak: "the five stars",
  jewel: "the jewel",
  error: "the error",
  again: "the error again",
  boss: "the boss",
  score: "the high score",
};

const outcomeText = (
  part: DemoStep,
  { state, reason }: Pick<ReceiptEntry, "state"> & { reason?: MessageOrText | null | undefined },
) => `${partNames[part]}: ${state}${reason ? `, ${escapeInvisible(say(reason))}` : ""}`;

function printEnd({ says, outcomes, session }: DemoEnd, config: Config): void {
  const kit = (words: string) => kitCommandInWords(config, words);
  print("");
  print(withStyle("bold", says));
  for (const { part, event, clip, issue, post, ...receipt } of outcomes) {
    const look = [
      ...(clip === null ? [] : [kit(`clip ${clip}`)]),
      ...(issue === null ? [] : [kit(`issue ${issue}`)]),
      ...(post === null ? [] : [kit("posts")]),
    ];
    print(`  ${outcomeText(part, receipt)}`);
    print(withStyle("dim", `      ${look.length > 0 ? look.join("   ") : kit(`show ${event}`)}`));
  }
  if (session !== null) print(`  Timeline: ${kit(`sessions ${session}`)}`);
  print("");
  print(`See it in the dashboard: ${kit("open")}. Wipe it: ${kit("demo --wipe")}`);
}

const textReporter = (config: Config): DemoReporter => ({
  phase: (_, says) => print(`${withStyle("bold", "now:")} ${escapeInvisible(says)}`),
  second: () => undefined,
  receipt: (part, entry) => print(withStyle("dim", `     ${outcomeText(part, entry)}`)),
  ended: (end) => printEnd(end, config),
});

const jsonReporter: DemoReporter = {
  phase: (phase, says) => printJsonLine({ type: "phase", phase, says }),
  second: (second) => printJsonLine({ type: "second", second: Math.floor(second) }),
  receipt: (part, entry) => printJsonLine({ type: "receipt", part, ...entry }),
  ended: (end) => printJsonLine({ type: "ended", ...end }),
};

/** Aborts on SIGINT, SIGTERM or SIGHUP, and when the window is closed. */
function stopSignal(window: DemoWindow | undefined): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", ...(process.platform === "win32" ? ["SIGBREAK"] : [])])
    process.once(signal, () => stop.abort());
  return window === undefined ? stop.signal : AbortSignal.any([stop.signal, window.closed]);
}

const { min, max, usual } = demoSeconds;

const demoFlags = {
  seconds: withDefault(
    parsedFlag("--seconds <n>", `how long the demo plays, ${min} to ${max}`, integerParser(min, max)),
    usual,
  ),
  window: negatedFlag("--no-window", "play without a window"),
  wipe: toggleFlag("--wipe", "wipe everything the demo produced"),
  undo: toggleFlag("--undo", "with --wipe: cancel the wipe"),
};

async function demo({ connect, config, flags, json }: CommandContext<typeof demoFlags>): Promise<undefined> {
  const { seconds } = flags;
  const connection = await connect();
  const { window, why } = await openWindowIfPossible(config, flags.window);
  const stop = stopSignal(window);
  const tell = json ? jsonReporter : textReporter(config);
  if (json) printJsonLine({ type: "begins", seconds, window: window !== undefined });
  tell.phase("waiting", `Kit's demo plays for ${seconds} seconds. ${why}`);
  try {
    await new DemoPlayer({ connection, seconds, window, tell, stop }).play();
  } catch (error) {
    // `fetch` throws a TypeError when the launcher does not answer any more.
    if (!(error instanceof TypeError)) throw error;
    throw new Unreachable("The launcher stopped, so the demo ended. All acknowledged events are stored.");
  }
}

const amountsText = ({ events, clips, issues, posts, sessions }: StoredAmounts) =>
  `${events} events, ${clips} clips, ${issues} issues, ${posts} posts and ${sessions} sessions`;

async function wipe({ client, config }: CommandContext<typeof demoFlags>) {
  const planned = await client.call(wipeGame, { body: { game: demoGame } });
  const at = new Date(planned.dueAt).toLocaleTimeString("en-GB");
  const undo = `Cancel until then: ${kitCommandInWords(config, "demo --wipe --undo")}`;
  return answer(planned, `The demo will be wiped at ${at}: ${amountsText(planned.holdings)}.\n${undo}`);
}

async function undoDemoWipe(client: Client) {
  await client.call(undoWipe, { query: { game: demoGame } });
  return answer({ undone: true }, "The wipe was cancelled.");
}

export const demoCommand = command("demo", "Play a made-up game to try every feature of Kit", {
  flags: demoFlags,
  help,
  run(context) {
    const { client, flags } = context;
    if (!flags.wipe) return demo(context);
    return flags.undo ? undoDemoWipe(client) : wipe(context);
  },
});
