// The real slices of a launcher, on storage and stand-ins of a test. Recording has no capture: each moment becomes a marker.
import { join } from "node:path";
import { eventInWords, gameInWords, textOf } from "@kit/contract";
import { createReplacement } from "../../src/data/replacement.ts";
import { copyAdmission } from "../../src/http/admission-store.ts";
import { createInbox } from "../../src/inbox/inbox.ts";
import { insertReceiptState, insertReceiptStateOrReason } from "../../src/inbox/inbox-store.ts";
import { keepForwarding } from "../../src/monitor/forwarding/restored-forwarding-store.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { sayIn } from "../../src/reader-language.ts";
import { createSocial, type SocialDeps } from "../../src/social/social.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { runDatabaseFileOperation } from "../../src/storage/threads/database-file-operations.ts";
import { noClips } from "../monitor/monitor-folder.ts";
import { sampleClip } from "../recording/sample-clip.ts";
import { secretsInMemory } from "../support/secrets-in-memory.ts";
import { migrations } from "../support/storage-folder.ts";
import { createNetworkHere } from "./network-here.ts";
import { clipBytes, type World } from "./world.ts";

const names = { gameName: gameInWords, eventName: eventInWords };
const nothing = () => undefined;

/** Where posts get their footage from: one clip, which fits every network. */
function clipOfWorld({ clipsDir }: World): Pick<SocialDeps, "footageOf" | "footageOfClip" | "fit" | "parts"> {
  const footage = {
    state: "saved",
    id: "clip-1",
    kind: "clip",
    path: join(clipsDir, "1.mp4"),
    bytes: clipBytes,
    seconds: 12,
    width: 640,
    height: 360,
    poster: null,
    momentPart: null,
    pictureSeconds: null,
  } as const;
  return {
    footageOf: async () => footage,
    footageOfClip: async () => footage,
    fit: async (media) => ({ ...media, mime: "video/mp4", notes: [] }),
    parts: { video: () => Promise.reject(new Error("no parts")), picture: () => Promise.reject(new Error("no parts")) },
  };
}

/** `survives` is asked before and after each request to a network. */
export function createSlicesHere(world: World, storage: Storage, survives: () => boolean) {
  const { dir, clipsDir, clock } = world;
  const now = () => clock.ms;
  const secrets = { ...secretsInMemory(world.secrets), placeOf: () => "file" as const };
  const outbound = createNetworkHere(
    () => world.mood,
    survives,
    (arrival) => world.onArrival(arrival),
  );
  const social = createSocial({
    storage,
    secrets,
    outbound,
    now,
    stateReached: insertReceiptStateOrReason,
    gameOf: () => "saga",
    names,
    sayIn: (language = "en") => sayIn(language),
    requestFootage: async () => undefined,
    ...clipOfWorld(world),
    clipOf: async (id) => sampleClip({ id }),
    posterOf: async () => undefined,
    onClipShared: async () => undefined,
    onChanged: nothing,
    onReceipts: nothing,
  });
  const ofTest = {
    limits: { growthEveryMs: 3_600_000, pauseMs: 0 },
    person: () => ({ user: "ana", host: "desk", home: "/home/ana" }),
  };
  const monitor = createMonitor({
    ...noClips,
    ...ofTest,
    storage,
    secrets,
    now,
    stateReached: insertReceiptState,
    requestClip: nothing,
    sentBefore: async () => [],
    sourcesOf: async () => [],
    onChanged: nothing,
    searchPath: "",
    gameName: gameInWords,
    say: textOf,
    onNoticesChanged: nothing,
  });
  const recording = {
    kind: "recording" as const,
    receive: async (entries: readonly { readonly seq: number }[]) => ({
      statements: [insertReceiptState(entries, "marked", "recording", now())],
      committed: nothing,
    }),
  };
  const inbox = createInbox({
    storage,
    assignment: {
      judge: () => ({ ignored: null, game: "saga", writes: [] }),
      findSender: () => null,
      buildOf: () => undefined,
      trackLateSender: nothing,
    },
    now,
    floodLimiter: monitor.rateLimiter,
    onArrival: nothing,
    onGameEvent: nothing,
    onStored: [],
  });
  const replacement = createReplacement({
    dir,
    clipsDir,
    migrations,
    storage,
    now,
    copyAdmission: () => copyAdmission(storage),
    keepForwarding: () => keepForwarding(storage),
    runFileTask: runDatabaseFileOperation,
  });
  return { social, monitor, recording, inbox, replacement };
}
