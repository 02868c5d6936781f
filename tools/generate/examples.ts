// Documentation examples for each operation, checked by the contract's types and the OpenAPI linter.
import {
  acceptInvitation,
  addForwardTarget,
  allSwitchesOn,
  type BodyOf,
  changeEventIdRule,
  changeForwardTarget,
  changeIssue,
  changeNoticeSettings,
  changeRecorder,
  changeRecordingRule,
  checkInvitation,
  createTicket,
  decideConsent,
  type EventIdRule,
  type Game,
  getFfmpegInstall,
  getHealth,
  getIssue,
  getNoticeSettings,
  getReceipt,
  getRecorder,
  installFfmpeg,
  type KitEvent,
  listEvents,
  listForwardTargets,
  listGames,
  listIssues,
  listNotices,
  listOrigins,
  listRecordingRules,
  listRefusals,
  listSentRequests,
  listSourceFolders,
  markNoticesSeen,
  mergeIssues,
  noticeSettingDefaults,
  type Operation,
  openSignInSession,
  type RecorderReport,
  type Refusal,
  type ReplyOf,
  recorderDefaults,
  recordingRuleDefaults,
  registerGame,
  reportError,
  setSourceFolder,
  stopLauncher,
  streamFeed,
  switchServices,
  testForwardBucket,
  testForwardTarget,
  testNotice,
  testRecorder,
  triggerRecording,
  triggerSocial,
  type WebOrigin,
} from "@kit/contract";
import { showAutostart } from "./autostart-examples.ts";
import { clipId, showClips } from "./clip-examples.ts";
import { showData } from "./data-examples.ts";
import { showDemo } from "./demo-examples.ts";
import {
  forwardBucketTest,
  forwardTarget,
  forwardTest,
  invitation,
  invitedTarget,
  sentRequest,
} from "./forwarding-examples.ts";
import { issue, issueDetail, notice, source } from "./issue-examples.ts";
import { showEventsFile, showLibrary } from "./library-examples.ts";
import { showSessions } from "./session-examples.ts";
import { showSocial } from "./social-examples.ts";

export type Example = { readonly body?: unknown; readonly reply?: unknown };

const examples = new Map<string, Example>();

function show<O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }): void {
  examples.set(operation.id, example as Example);
}

export const exampleOf = (operation: Operation): Example => examples.get(operation.id) ?? {};

const timestamp = "2026-03-14T09:26:53.589Z";
const receivedAt = "2026-03-14T09:26:53.612Z";
const id = "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41";
const accepted = { id, status: "accepted" } as const;

const event: KitEvent = {
  id,
  kind: "recording",
  game: "my_game",
  eventId: "my_game_boss_defeated",
  payload: { eventId: "my_game_boss_defeated", timestamp },
  receivedAt,
  actsOn: timestamp,
  status: "accepted",
  state: "saved",
  notes: [],
  origin: null,
  client: "GodotEngine/4.6.stable (Linux)",
  intact: true,
};

const game: Game = {
  game: "my_game",
  name: "My Game",
  registered: true,
  switches: allSwitchesOn,
  firstSeenAt: receivedAt,
};

const refusal: Refusal = {
  number: 1,
  at: receivedAt,
  status: 422,
  code: "payload_invalid",
  detail: "/timestamp was expected to be ISO 8601 in UTC with milliseconds.",
  errors: [{ path: "/timestamp", message: "was expected to be ISO 8601 in UTC with milliseconds" }],
  method: "POST",
  path: "/api/recording/trigger",
  kind: "recording",
  origin: null,
  client: "GodotEngine/4.6.stable (Linux)",
  body: '{"eventId":"my_game_boss_defeated","timestamp":1}',
};

const rule: EventIdRule = {
  kind: "recording",
  eventId: "my_game_boss_defeated",
  game: "my_game",
  assigned: false,
  enabled: true,
  firstSeenAt: receivedAt,
  lastSeenAt: receivedAt,
  count: 12,
  label: "Boss defeated",
  icon: "sword",
  postText: null,
  similarTo: null,
};

const origin: WebOrigin = {
  origin: "https://html-classic.itch.zone",
  state: "until-exit",
  shared: true,
  firstAskedAt: receivedAt,
  expiresAt: null,
  attempts: 3,
};

const recorder: RecorderReport = {
  state: {
    state: "recording",
    detail: "The screen :0 is captured by ffmpeg.",
    backend: "ffmpeg",
    source: "screen :0",
    encoder: "libx264",
    width: 1280,
    height: 720,
    frameRate: 30,
    heldSeconds: 90,
    heldBytes: 41_943_040,
    degraded: null,
    restarts: 0,
    lostSeconds: 0,
  },
  settings: recorderDefaults,
  obsPasswordSet: false,
  canCopyFiles: true,
  ffmpeg: { path: "/usr/bin/ffmpeg", version: "5.1.9", from: "path" },
  trouble: { clipNotice: null, saveHotkey: null, markHotkey: null, trayIcon: null },
};

const recordingRule = { ...recordingRuleDefaults, eventId: "my_game_boss_defeated", preSeconds: 20, changed: true };

show(triggerRecording, { body: { eventId: "my_game_boss_defeated", timestamp }, reply: accepted });
show(reportError, {
  body: { message: "The save file is damaged", stackTrace: "load_game: res://save.gd:41", timestamp },
  reply: accepted,
});
show(triggerSocial, {
  body: { eventId: "my_game_all_stars", timestamp },
  reply: { id, status: "ignored", reason: "event_off" },
});
show(getHealth, {
  reply: {
    product: "kit",
    version: "0.1.0",
    capabilities: ["recording", "monitor", "social"],
    storage: { state: "ok", notices: [] },
    dropped: { evicted: 0, refusals: 0, events: 0 },
  },
});
show(stopLauncher, { reply: { pid: 4711 } });
show(listEvents, { reply: { events: [event], cursor: "42", more: false } });
show(getReceipt, {
  reply: {
    event,
    states: [
      { state: "accepted", at: receivedAt, by: "inbox" },
      { state: "recording", at: "2026-03-14T09:26:53.640Z", by: "recording", reason: "12 s before, 5 s after" },
      { state: "saved", at: "2026-03-14T09:26:59.012Z", by: "recording", reason: "17.0 s, my_game boss defeated" },
    ],
  },
});
show(listRefusals, { reply: { refusals: [refusal], dropped: 0 } });
show(streamFeed, { reply: { type: "event", event } });
showClips(show, id, timestamp);
show(getRecorder, { reply: recorder });
show(changeRecorder, { body: { frameRate: 60, height: 1080 }, reply: recorder });
show(testRecorder, {
  reply: {
    ok: true,
    says: "3.0 s of the screen were recorded by ffmpeg with libx264.",
    tried: [{ what: "encoder h264_nvenc", ok: false, why: "it does not start on this machine" }],
    clip: clipId,
    file: {
      seconds: 3,
      width: 1280,
      height: 720,
      frameRate: 30,
      bytes: 612_000,
      isBlack: false,
      soundTracks: 1,
      expected: { seconds: 3, width: 1280, height: 720 },
    },
  },
});
show(getFfmpegInstall, {
  reply: {
    state: "idle",
    command: "winget install --id Gyan.FFmpeg",
    offer: "Kit runs `winget install --id Gyan.FFmpeg`, and then tests ffmpeg.",
    says: null,
    progress: "",
  },
});
show(installFfmpeg, {
  reply: {
    state: "running",
    command: "winget install --id Gyan.FFmpeg",
    offer: "Kit runs `winget install --id Gyan.FFmpeg`, and then tests ffmpeg.",
    says: "`winget install --id Gyan.FFmpeg` is running.",
    progress: "Downloading",
  },
});
show(listRecordingRules, { reply: { rules: [recordingRule] } });
show(changeRecordingRule, { body: { eventId: "my_game_boss_defeated", preSeconds: 20 }, reply: recordingRule });
show(listGames, { reply: { services: allSwitchesOn, games: [game], rules: [rule] } });
show(registerGame, {
  body: { game: "my_game", switches: { social: false } },
  reply: { ...game, switches: { ...allSwitchesOn, social: false } },
});
show(changeEventIdRule, { body: { kind: "recording", eventId: "my_game_boss_defeated", enabled: true }, reply: rule });
show(switchServices, { body: { social: false }, reply: { ...allSwitchesOn, social: false } });
show(listSourceFolders, { reply: { sources: [source] } });
show(setSourceFolder, { body: { game: "my_game", root: source.root, editor: "vscode" }, reply: source });
show(listIssues, { reply: { issues: [issue], more: false, forgotten: { issues: 0, reports: 0 } } });
show(getIssue, { reply: issueDetail });
show(changeIssue, { body: { state: "muted", mutedForCount: 100 }, reply: { ...issue, state: "muted" } });
show(mergeIssues, { body: { ids: ["019ceb4c-3d10-7a22-b4c1-77d0a2e1f903"] }, reply: issue });
show(listNotices, { reply: { notices: [notice], more: false, unseen: 1, gone: 0 } });
show(markNoticesSeen, { body: { upTo: notice.number }, reply: { unseen: 0 } });
show(getNoticeSettings, { reply: { ...noticeSettingDefaults, trouble: null } });
show(changeNoticeSettings, {
  body: { desktop: true },
  reply: { ...noticeSettingDefaults, desktop: true, trouble: null },
});
show(testNotice, { reply: { ok: true, says: "The desktop accepted the notification." } });
show(listForwardTargets, { reply: { targets: [forwardTarget] } });
show(addForwardTarget, {
  body: { kind: "sentry", address: "https://KEY@errors.example.com/4", game: "my_game" },
  reply: forwardTarget,
});
show(changeForwardTarget, { body: { enabled: false }, reply: { ...forwardTarget, enabled: false } });
show(testForwardTarget, { reply: forwardTest });
show(testForwardBucket, { reply: forwardBucketTest });
show(listSentRequests, { reply: { requests: [sentRequest] } });
show(checkInvitation, {
  body: { invitation },
  reply: { host: "errors.example.com", project: "4", bucketHost: "s3.eu-central-1.amazonaws.com", target: null },
});
show(acceptInvitation, {
  body: { invitation, reports: true, earlierEvents: true, installation: false, videos: false },
  reply: invitedTarget,
});
showSocial(show);
showSessions(show);
showDemo(show);
showEventsFile(show);
showLibrary(show);
showData(show);
showAutostart(show);
show(listOrigins, { reply: { origins: [origin], dropped: 0 } });
show(decideConsent, {
  body: { origin: "https://html-classic.itch.zone", decision: "until-exit" },
  reply: origin,
});
show(createTicket, { reply: { ticket: "4nQ…", expiresAt: "2026-03-14T09:27:53.612Z" } });
show(openSignInSession, {
  body: { ticket: "4nQ…" },
  reply: { token: "kR7…", pass: "Zt1…", expiresAt: "2026-04-13T09:26:53.612Z" },
});
