// Plays an evening on a real launcher with real captures: three games one after another, each a process with a window of its own.
// It was last night: the launcher, its ffmpeg and the games had a clock that is hours behind. A person opens Kit the next day.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addAccount,
  addPostRule,
  type Client,
  changePostSettings,
  changeRecorder,
  changeRecordingRule,
  createClient,
  getRecorder,
  listClips,
  listPosts,
} from "@kit/contract";
import { openSampleNetwork, type SampleNetwork } from "../../dashboard/test/sample-network.ts";
import { kitCommand } from "../../launcher/test/support/launcher-process.ts";
import { type LauncherProcess, startLauncherProcess } from "../../launcher/test/support/own-launcher.ts";
import { until } from "../../launcher/test/support/until.ts";
import { openDisplay } from "../engines/display.ts";
import { openJwm } from "../engines/jwm.ts";
import { pathOf } from "../engines/locate.ts";
import type { GameScript, SentEvent } from "./game-process.ts";
import { bestMoment, evening, type PlannedGame, ruleSeconds } from "./plan.ts";

export type EveningOptions = {
  /** How many times faster than planned. The durations of the rules shrink by the same factor. */
  readonly speed: number;
  readonly port?: number;
  readonly dataDir?: string;
  readonly onProgress?: (says: string) => void;
};

/** How far the clock of the evening is behind. */
export const agoHours = 14;
/** Environment of a program whose clock, and that of all that it starts, is that far behind. Durations stay as they are. */
const lastNight = (): Record<string, string> => ({
  LD_PRELOAD: pathOf("libfaketime"),
  FAKETIME: `-${agoHours}h`,
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

type PlayedGame = { readonly game: string; readonly sent: readonly SentEvent[] };
export type Evening = AsyncDisposable & {
  readonly launcher: LauncherProcess;
  readonly client: Client;
  readonly network: SampleNetwork;
  readonly games: readonly PlayedGame[];
  /** Seconds of footage that the recorder lost during the evening. */
  readonly lostSeconds: number;
};

const idOf = ({ game }: Pick<PlannedGame, "game">, name: string) => `${game}_${name}`;

async function prepare(client: Client, network: SampleNetwork, speed: number): Promise<void> {
  const shrunk = Object.fromEntries(Object.entries(ruleSeconds).map(([name, seconds]) => [name, seconds / speed]));
  for (const one of evening) {
    const names = one.events.flatMap((event) => ("name" in event ? [event.name] : []));
    for (const name of new Set(names)) {
      const isBest = one.game === bestMoment.game && name === bestMoment.name;
      const priority = isBest ? { priority: bestMoment.priority } : {};
      await client.call(changeRecordingRule, { body: { eventId: idOf(one, name), ...shrunk, ...priority } });
    }
  }
  await client.call(changeRecorder, { body: { backend: "ffmpeg", sound: "off" } });
  const { account } = await client.call(addAccount, { body: { network: "discord", fields: { url: network.url } } });
  await client.call(addPostRule, { body: { pattern: "*", accounts: [account.id], attach: "clip" } });
  await client.call(changePostSettings, { body: { undoSeconds: 0 } });
}

function scriptOf(planned: PlannedGame, { speed, folder, display, url }: Stage): GameScript {
  const ms = (seconds: number) => (seconds * 1_000) / speed;
  return {
    title: planned.game,
    display,
    url,
    events: planned.events.map((event) => ({
      atMs: ms(event.at),
      kind: event.kind,
      body:
        event.kind === "monitor" ? { message: event.message, stackTrace: "" } : { eventId: idOf(planned, event.name) },
    })),
    endsMs: ms(planned.ends),
    crashes: planned.crashes,
    results: join(folder, `${planned.game}.sent.json`),
  };
}

type Stage = { readonly speed: number; readonly folder: string; readonly display: string; readonly url: string };

/** Plays one game to its end, by `kit run`, which also reports a crash. */
async function playGame(planned: PlannedGame, launcher: LauncherProcess, stage: Stage): Promise<PlayedGame> {
  const script = scriptOf(planned, stage);
  const file = join(stage.folder, `${planned.game}.json`);
  writeFileSync(file, JSON.stringify(script));
  const game = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    join(import.meta.dirname, "game-process.ts"),
    file,
  ];
  const place = ["--port", String(launcher.port), "--data-dir", launcher.dataDir];
  const [program = "", ...words] = kitCommand("run", ...place, "--game", planned.game, "--", ...game);
  const child = spawn(program, words, {
    env: { ...process.env, CI: "1", KIT_SECRETS: "file", ...lastNight() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  await once(child, "close");
  if (!existsSync(script.results)) throw new Error(`${planned.game} ended early:\n${said.join("")}`);
  return { game: planned.game, sent: JSON.parse(readFileSync(script.results, "utf8")) };
}

/** Waits until every clip is final, and every post knows its footage. */
function settled(client: Client): Promise<unknown> {
  return until("every clip and every post is final", async () => {
    const [{ clips }, { posts }] = await Promise.all([
      client.call(listClips, { query: { limit: 200 } }),
      client.call(listPosts, { query: {} }),
    ]);
    const isFinal = clips.every((clip) => clip.state !== "pending" && (clip.kind !== "clip" || clip.poster));
    return isFinal && posts.every(({ footage }) => footage.state !== "pending");
  });
}

/** Resolves when the evening is over. The launcher and its screen stay until it is disposed. */
export async function playEvening({ speed, onProgress = () => undefined, ...start }: EveningOptions): Promise<Evening> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "kit-evening-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const display = await openDisplay("1024x768");
  opened.defer(display.close);
  const manager = await openJwm(display.name);
  opened.defer(manager.close);
  const network = opened.use(await openSampleNetwork("Boss log"));
  let isNight = true;
  const clock = Object.entries(lastNight()).map(([name, value]) => `${name}=${value}`);
  const launcher = opened.use(
    await startLauncherProcess({
      ...start,
      env: { DISPLAY: display.name },
      within: (command) => (isNight ? ["env", ...clock, ...command] : command),
    }),
  );
  const url = `http://127.0.0.1:${launcher.port}`;
  const client = createClient(url, () => ({ authorization: `Bearer ${launcher.secret()}` }));
  await prepare(client, network, speed);
  const games: PlayedGame[] = [];
  for (const planned of evening) {
    onProgress(`${planned.game} is played, for ${planned.ends / speed} seconds`);
    games.push(await playGame(planned, launcher, { speed, folder, display: display.name, url }));
  }
  onProgress("the clips are finished");
  await settled(client);
  const { lostSeconds } = (await client.call(getRecorder)).state;
  isNight = false;
  await launcher.restart();
  const open = opened.move();
  return { launcher, client, network, games, lostSeconds, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
