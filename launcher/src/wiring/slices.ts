// Creates the slices. Each wire function creates one, from what all slices share and from the slices it needs. `data.ts` creates the
// data slice.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { runClient } from "@kit/contract";
import { autostartRoutes, createAutostart, createDesktopEntry, desktopEntryRoutes } from "../autostart/index.ts";
import type { Config } from "../config.ts";
import {
  createEventsFiles,
  createGameLibrary,
  createGameSessions,
  createIconFinder,
  createPlayGame,
  type EventAssignment,
  type GameRegistry,
  type GameSessions,
  gameRoutes,
  type ProcessLife,
  type ProgramWatcher,
  type SenderRegistry,
  type SourceFolders,
} from "../games/index.ts";
import type { Route } from "../http/route.ts";
import {
  type Feed,
  type Inbox,
  type InboxStore,
  insertReceiptState,
  insertReceiptStateOrReason,
} from "../inbox/index.ts";
import { log } from "../log.ts";
import { createEventIssueStore, createIssueCountStore } from "../monitor/issues/issue-store.ts";
import { createMonitor, type Monitor } from "../monitor/monitor.ts";
import { createDesktopNotifier } from "../monitor/notices/desktop-notifier.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { isProcessRunning } from "../process/is-running.ts";
import { type Say, sayIn } from "../reader-language.ts";
import { createClipCountStore, createClipSpanStore } from "../recording/clips/clip-data-store.ts";
import { Recording, type RecordingDeps } from "../recording/recording.ts";
import { createKeyring, createSecrets, type Secrets } from "../secrets/index.ts";
import {
  clipsOfWaitingPosts,
  createDraftCountStore,
  createEventPostStore,
} from "../social/posts/posts-for-others-store.ts";
import { createSocial, type Social } from "../social/social.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Storage } from "../storage/storage.ts";

export type SharedDeps = {
  readonly config: Config;
  readonly dir: DataDir;
  readonly storage: Storage;
  readonly now: () => number;
  /** Returns a message in the language of the system. */
  readonly say: Say;
  readonly secrets: Secrets;
  readonly games: GameRegistry;
  readonly assignment: EventAssignment;
  readonly senders: SenderRegistry;
  readonly journal: InboxStore;
  readonly feed: Feed;
};

export const openSecrets = ({ useKeyring }: Config, dir: DataDir): Secrets =>
  createSecrets({
    folder: dir.credentials,
    keyring: useKeyring ? createKeyring() : undefined,
    onFailure: log.operationFailed,
  });

const iconFile = ({ dashboard }: Config) => join(dashboard, "icons", "kit-512.png");

/** Runs `kit open`, which opens the dashboard of this launcher signed in. */
function openDashboard({ ownCommand, dataDir }: Config): void {
  const [program = "", ...args] = ownCommand;
  const child = spawn(program, [...args, "open", "--data-dir", dataDir], { stdio: "ignore", windowsHide: true });
  child.on("error", (error) => log.operationFailed("open", error));
}

/** Recording gets switches and the game of an event from games, and notifies the feed of changes. */
export function wireRecording(
  shared: SharedDeps & Pick<RecordingDeps, "windowsDesktop" | "processesOf" | "stopKit">,
  clipsChanged: () => void,
): Recording {
  const { config, storage, dir, now, say, games, feed, windowsDesktop, processesOf, stopKit } = shared;
  return new Recording({
    ...config,
    storage,
    dir,
    now,
    desktop: createDesktopNotifier({ searchPath: config.searchPath, onFailure: log.notNotified }),
    say,
    openDashboard: () => openDashboard(config),
    stopKit,
    icon: iconFile(config),
    processesOf,
    isProcessRunning,
    windowsDesktop,
    stateReached: insertReceiptState,
    gameOf: (kind, eventId) => games.gameOf(kind, eventId),
    labelOf: (eventId, game) => games.eventName(eventId, game),
    gameName: (game) => games.gameName(game),
    knownIds: () => games.idsOfService("recording"),
    isOn: (game) => games.isOn("recording", game),
    neededClips: () => clipsOfWaitingPosts(storage),
    onChanged(what) {
      feed.notifyChange(what);
      if (what === "clips") clipsChanged();
    },
    onReceipts: feed.wake,
  });
}

/** The monitor gets the clip of a new error, and copies of it that its targets accept, from recording, and the events before an error from the journal. */
export function wireMonitor(
  { config, storage, now, say, secrets, games, journal, feed }: SharedDeps,
  { recording, sources }: { readonly recording: Recording; readonly sources: SourceFolders },
): Monitor {
  return createMonitor({
    storage,
    now,
    secrets,
    stateReached: insertReceiptState,
    requestClip: recording.requestClip,
    clipOf: recording.footageOf,
    fitClip: recording.fit,
    sentBefore: journal.listPreceding,
    sourcesOf: sources.findSources,
    searchPath: config.searchPath,
    gameName: (game) => games.gameName(game),
    say,
    onChanged: () => feed.notifyChange("issues"),
    onNoticesChanged: () => feed.notifyChange("notices"),
  });
}

/** A post gets the footage of its moment, and a copy that its network accepts, from recording. */
export function wireSocial({ storage, now, say, games, secrets, feed }: SharedDeps, recording: Recording): Social {
  const { requestFootage, footageOf, footageOfClip, clipOf, fit, parts, posterPath, markShared } = recording;
  const outbound = createOutbound();
  const social = createSocial({
    storage,
    now,
    secrets,
    outbound,
    requestFootage,
    footageOf,
    footageOfClip,
    clipOf,
    fit,
    parts,
    posterOf: posterPath,
    onClipShared: markShared,
    stateReached: insertReceiptStateOrReason,
    gameOf: (eventId) => games.gameOf("social", eventId),
    names: games,
    sayIn: async (language) => (language === undefined ? say : sayIn(language)),
    onChanged: (what) => feed.notifyChange(what),
    onReceipts: feed.wake,
  });
  return { ...social, stop: () => social.stop().then(outbound.close) };
}

/** A session shows the clips, issues and posts of its events. Its crash is sent as an error report. */
export function wireSessions(
  { storage, now, games, assignment, senders, feed }: SharedDeps,
  {
    life,
    recording,
    inbox,
  }: { readonly life: ProcessLife; readonly recording: Recording; readonly inbox: () => Inbox },
): GameSessions {
  const ownReport = { repeated: false, origin: null, client: runClient, socket: {} } as const;
  return createGameSessions({
    ...createClipSpanStore(storage),
    ...createEventIssueStore(storage),
    ...createEventPostStore(storage),
    storage,
    now,
    assignment,
    senders,
    life,
    gameOf: (kind, eventId) => games.gameOf(kind, eventId),
    wordsOf: (eventId, game) => games.eventName(eventId, game),
    register: async (game) => games.isRegistered(game) || games.registerGame(game, {}),
    onRunStarted: (game, pid) => recording.gameSeen(game, { pid, hasJustStarted: true }),
    onRunEnded: recording.gameEnded,
    reportCrash: (sender, body) => inbox().accept({ kind: "monitor", body, ...ownReport, sender }),
    onChanged: () => feed.notifyChange("sessions"),
  });
}

type Others = {
  readonly recording: Recording;
  readonly sessions: GameSessions;
  readonly sources: SourceFolders;
  readonly programs: ProgramWatcher;
};

/**
 * The other slices supply a game's counts and covers. Play starts this Kit once more as `kit run`. An events file's labels, recording rules and name are written in one
 * commit.
 */
export function wireGameRoutes(
  { config, storage, now, games, feed }: SharedDeps,
  { recording, sessions, sources, programs }: Others,
): readonly Route[] {
  const library = createGameLibrary({
    ...createClipCountStore(storage),
    ...createIssueCountStore(storage),
    ...createDraftCountStore(storage),
    games,
    storage,
    now,
    programs,
    play: createPlayGame({ ...config, ...sessions, onStarted: log.played }),
    posterOf: recording.posterPath,
    findIcon: createIconFinder(now),
    onChanged: () => feed.notifyChange("games"),
  });
  const eventsFiles = createEventsFiles({ games, rules: recording.rules, storage });
  return gameRoutes({ storage, games, sources, eventsFiles, library });
}

/** Timeout of system programs, so that a person never waits longer. */
const programTimeoutMs = 5_000;

const run = (program: string, args: readonly string[], input = ""): Promise<number | undefined> =>
  new Promise((resolve) => {
    const child = execFile(program, args, { timeout: programTimeoutMs, windowsHide: true }, (error) => {
      if (error === null) resolve(0);
      else resolve(typeof error.code === "number" ? error.code : undefined);
    });
    child.stdin?.on("error", () => undefined).end(input);
  });

/** Returns the command of kit-open.exe, which shows no console, not even for a moment, if it is beside Kit's own Node. */
function windowlessCommand(ownCommand: readonly string[]): readonly string[] {
  const opener = join(dirname(process.execPath), "kit-open.exe");
  return existsSync(opener) ? [opener] : ownCommand;
}

/** Names the data folder, clips folder and port of this launcher, because the system may start Kit in another environment. */
function startCommand(config: Config, how: "--no-open" | "--from-menu"): string[] {
  const { dataDir, clipsDir, port } = config;
  const ownCommand = process.platform === "win32" ? windowlessCommand(config.ownCommand) : config.ownCommand;
  const clips = clipsDir === join(dataDir, "clips") ? [] : ["--clips-dir", clipsDir];
  const windowless = process.platform === "win32" ? ["--windowless"] : [];
  return [...ownCommand, "start", how, ...windowless, "--port", String(port), "--data-dir", dataDir, ...clips];
}

export function wireAutostart(config: Config): readonly Route[] {
  const { configHome, display, isWayland } = config;
  const hasDesktop = display !== undefined || isWayland;
  const usesSystemd = existsSync("/run/systemd/system");
  const system = { platform: process.platform, configHome, usesSystemd, hasDesktop, run };
  const menu = createDesktopEntry({
    platform: process.platform,
    dataHome: config.dataHome,
    command: startCommand(config, "--from-menu"),
    icon: iconFile(config),
    configHome,
    run,
  });
  const autostart = createAutostart({ system, command: startCommand(config, "--no-open") });
  return [...autostartRoutes(autostart), ...desktopEntryRoutes(menu)];
}
