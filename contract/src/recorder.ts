// Operations on the recorder, its settings, and the recording rules.
import { Type } from "typebox";
import { Clip } from "./clip.ts";
import { quotaBytesMin } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

export const recorderStates = ["off", "idle", "starting", "recording", "broken"] as const;
export type RecorderStateName = (typeof recorderStates)[number];

export const RecorderState = Type.Object(
  {
    state: Type.Enum(recorderStates, {
      description:
        "off: switched off; idle: waits for a game; starting; recording: the replay buffer holds the last seconds; broken: it failed, and `detail` says what to do",
    }),
    detail: messageSchema("One sentence for a person: what is captured, or what is wrong and what to do"),
    backend: Type.Union([Type.Enum(["ffmpeg", "obs"]), Type.Null()], {
      description: "The capture backend; null: no capture, so moments become markers",
    }),
    source: Type.Union([Type.String(), Type.Null()], {
      description: "What is captured, e.g. `screen :0` or a window's title",
    }),
    encoder: Type.Union([Type.String(), Type.Null()], { description: "e.g. libx264" }),
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Type.Number({ description: "Frames per second that arrived during the last seconds" }),
    heldSeconds: Type.Number({ description: "Seconds of footage in the replay buffer" }),
    heldBytes: Type.Integer(),
    degraded: Type.Union([Type.String(), Type.Null()], {
      description: "What was reduced because the computer could not keep up",
    }),
    restarts: Type.Integer({ description: "How often the capture was restarted since the launcher started" }),
    lostSeconds: Type.Number({ description: "Total seconds without footage because of restarts" }),
  },
  { description: "State of the recorder" },
);
export type RecorderState = Type.Static<typeof RecorderState>;

export const RecorderSettings = Type.Object(
  {
    when: Type.Enum(["automatic", "always", "never"], {
      description:
        "automatic: from the start of a game whose program is known, or else from its first event, until the game ends or sends nothing for " +
        "a while; always; never",
    }),
    backend: Type.Enum(["automatic", "ffmpeg", "obs"], {
      description: "automatic: OBS while it answers, otherwise ffmpeg",
    }),
    picture: Type.Enum(["game", "window", "screen"], {
      description:
        "game: the window of the game that runs, or the whole screen where Kit finds no such window; window: only the window that `window` names; screen: the whole screen",
    }),
    window: Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description:
        "Part of the title of the window to capture. A change that leaves out `picture` also changes that: to `window`, or for null back to `game`",
    }),
    monitor: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
      description:
        "Name of the monitor to record as the whole screen, e.g. HDMI-1; null: the primary one. While it is not connected, the primary one is recorded, and the state says so. On X11 and Windows",
    }),
    frameRate: Type.Enum([15, 20, 30, 60], { description: "frames per second" }),
    height: Type.Enum([480, 720, 1080, 0], {
      description: "height in pixels, never upscaled; 0: the height of the source",
    }),
    quality: Type.Enum(["low", "standard", "high"]),
    sound: Type.Enum(["game", "system", "off"], {
      description:
        "game: only what the game plays, or the system audio where Kit cannot tell them apart; system: the system audio, where the system allows it; off",
    }),
    microphone: Type.Boolean({
      description:
        "True records the microphone as a second sound track, which players and posts leave out, and exports unless a person includes it",
    }),
    bufferSeconds: Type.Integer({
      minimum: 20,
      maximum: 300,
      description: "Length of the replay buffer in seconds, 20 to 300",
    }),
    quotaBytes: Type.Integer({
      minimum: quotaBytesMin,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Maximum total size of all clips in bytes, from 100,000,000",
    }),
    obsUrl: Type.String({
      maxLength: 200,
      pattern: "^ws://(127\\.0\\.0\\.1|\\[::1\\]|localhost):\\d{1,5}$",
      description: "Address of OBS on this computer, e.g. ws://127.0.0.1:4455",
    }),
    clipNotice: Type.Enum(["off", "windowed", "always"], {
      description:
        "When the desktop says that a clip was saved. off; windowed: unless a window fills the screen, or that is not known; always",
    }),
    saveHotkey: Type.Union([Type.String({ maxLength: 60 }), Type.Null()], {
      description: "Hotkey that saves the last 30 seconds, e.g. Ctrl+Alt+S; null: none",
    }),
    markHotkey: Type.Union([Type.String({ maxLength: 60 }), Type.Null()], {
      description: "Hotkey that sets a marker, e.g. Ctrl+Alt+M; null: none",
    }),
    trayIcon: Type.Boolean({
      description: "True shows an icon in the tray of the desktop; a click opens the dashboard",
    }),
  },
  { description: "Settings of the recorder" },
);
export type RecorderSettings = Type.Static<typeof RecorderSettings>;

export const recorderDefaults: RecorderSettings = {
  when: "automatic",
  backend: "automatic",
  picture: "game",
  window: null,
  monitor: null,
  frameRate: 30,
  height: 720,
  quality: "standard",
  sound: "game",
  // A person's voice is recorded only if that person wants it.
  microphone: false,
  bufferSeconds: 90,
  quotaBytes: 20_000_000_000,
  obsUrl: "ws://127.0.0.1:4455",
  clipNotice: "windowed",
  // A hotkey takes its key from every program, so a person chooses it.
  saveHotkey: null,
  markHotkey: null,
  trayIcon: false,
};

const trouble = Type.Union([messageSchema(), Type.Null()], { description: "null: it works, or is off" });

export const RecorderReport = Type.Object(
  {
    state: RecorderState,
    settings: RecorderSettings,
    obsPasswordSet: Type.Boolean({ description: "True if a password is saved; the password itself is never returned" }),
    ffmpeg: Type.Union(
      [
        Type.Object({
          path: Type.String(),
          version: Type.String(),
          from: Type.Enum(["setting", "kit", "path", "package"]),
        }),
        Type.Null(),
      ],
      { description: "The ffmpeg in use; null if none was found" },
    ),
    canCopyFiles: Type.Boolean({
      description: "True if the launcher runs in a desktop session, so that it can put files on the clipboard",
    }),
    trouble: Type.Object(
      { clipNotice: trouble, saveHotkey: trouble, markHotkey: trouble, trayIcon: trouble },
      { description: "Why what is set does not work here, and what to do" },
    ),
  },
  { description: "State and settings of the recorder" },
);
export type RecorderReport = Type.Static<typeof RecorderReport>;

export const recordingActions = ["clip", "screenshot", "marker", "nothing"] as const;
export type RecordingAction = (typeof recordingActions)[number];

export const RecordingRule = Type.Object(
  {
    eventId: Type.String({ description: "The event id that the rule applies to" }),
    action: Type.Enum(recordingActions),
    preSeconds: Type.Number({
      minimum: 0,
      maximum: 120,
      description: "Pre-roll: seconds of footage before the moment",
    }),
    postSeconds: Type.Number({
      minimum: 0,
      maximum: 60,
      description: "Post-roll: seconds of footage after the moment",
    }),
    mergeGapSeconds: Type.Number({
      minimum: 0,
      maximum: 60,
      description: "Merge gap: a moment at most this many seconds after a clip's end joins the clip",
    }),
    longestSeconds: Type.Number({
      minimum: 5,
      maximum: 300,
      description: "Maximum length of a clip in seconds; a later moment starts another clip",
    }),
    cooldownSeconds: Type.Number({
      minimum: 0,
      maximum: 3_600,
      description: "Seconds during which the same event id again neither starts nor extends a clip",
    }),
    priority: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: "Clips with a higher priority are removed later when space is needed",
    }),
    changed: Type.Boolean({ description: "False while the rule is the default" }),
  },
  { description: "What recording does for one event id" },
);
export type RecordingRule = Type.Static<typeof RecordingRule>;

export const recordingRuleDefaults = {
  action: "clip",
  preSeconds: 12,
  postSeconds: 5,
  mergeGapSeconds: 8,
  longestSeconds: 120,
  cooldownSeconds: 10,
  priority: 500,
} as const satisfies Omit<RecordingRule, "eventId" | "changed">;

const { eventId, changed: _changed, ...ruleMembers } = RecordingRule.properties;

const RecordedFile = Type.Object(
  {
    seconds: Type.Number(),
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Type.Number({ description: "Average frames per second" }),
    bytes: Type.Integer(),
    isBlack: Type.Boolean({ description: "True if every frame is black all over" }),
    soundTracks: Type.Integer(),
    expected: Type.Object(
      { seconds: Type.Number(), width: Type.Integer(), height: Type.Integer() },
      { description: "What was to be recorded" },
    ),
  },
  { description: "What was read in a recorded file" },
);
export type RecordedFile = Type.Static<typeof RecordedFile>;

export const TestRecording = Type.Object(
  {
    ok: Type.Boolean(),
    says: messageSchema("Result in one sentence"),
    tried: Type.Array(Type.Object({ what: messageSchema(), ok: Type.Boolean(), why: messageSchema() }), {
      description: "Every backend, input and encoder that was tried, in order, and why it was chosen or rejected",
    }),
    clip: Type.Union([Type.String(), Type.Null()], { description: "Id of the recorded clip" }),
    file: Type.Union([RecordedFile, Type.Null()], { description: "null: no file was saved" }),
  },
  { description: "Result of a test recording" },
);
export type TestRecording = Type.Static<typeof TestRecording>;

export const getRecorder = operation({
  id: "getRecorder",
  method: "GET",
  path: "/api/recorder",
  access: "session",
  says: "Returns the recorder's state, its settings, and the ffmpeg in use.",
  status: 200,
  reply: RecorderReport,
  errors: sessionErrors,
});

const RecorderSource = Type.Object(
  {
    kind: Type.Enum(["monitor", "window"]),
    name: Type.String({ description: "Value of the setting `monitor` or `window` that selects the source" }),
    width: Type.Integer({ description: "in pixels" }),
    height: Type.Integer({ description: "in pixels" }),
    pid: Type.Union([Type.Integer(), Type.Null()], {
      description: "The process of the window; null for a monitor, or if it is not known",
    }),
    picture: Type.Union([Type.String(), Type.Null()], {
      description: "What the source shows now: a `data:` URL of a JPEG of at most 320 × 180 pixels; null without one",
    }),
  },
  { description: "A monitor or window that can be recorded" },
);
export type RecorderSource = Type.Static<typeof RecorderSource>;

export const listRecorderSources = operation({
  id: "listRecorderSources",
  method: "GET",
  path: "/api/recorder/sources",
  access: "session",
  says: "Returns the monitors and windows that can be recorded, each with a small picture. On X11 and Windows. Takes a few seconds.",
  status: 200,
  reply: Type.Object({
    sources: Type.Array(RecorderSource, {
      description: "the primary monitor first, then the largest windows; at most 40",
    }),
    why: Type.Union([messageSchema("Why none can be listed"), Type.Null()]),
  }),
  errors: sessionErrors,
});

export const changeRecorder = operation({
  id: "changeRecorder",
  method: "PUT",
  path: "/api/recorder",
  access: "session",
  says: "Changes settings of the recorder. Members that are left out stay unchanged. A running capture continues with the new settings.",
  body: Type.Object({
    ...Type.Partial(RecorderSettings).properties,
    obsPassword: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
        description: "OBS's WebSocket password, saved in a separate file that only its owner can read; null deletes it",
      }),
    ),
  }),
  status: 200,
  reply: RecorderReport,
  errors: inputErrors,
});

export const testRecorder = operation({
  id: "testRecorder",
  method: "POST",
  path: "/api/recorder/test",
  access: "session",
  says: "Records a few seconds, and reports what was chosen and why.",
  status: 200,
  reply: TestRecording,
  errors: [...sessionErrors, "too_many_requests"],
});

export const expectGame = operation({
  id: "expectGame",
  method: "POST",
  path: "/api/recorder/expect",
  access: "session",
  says: "Lets the recorder run for 45 seconds, if it is set to `automatic`: a game is about to send its first event, which then has footage.",
  status: 204,
  errors: sessionErrors,
});

/** Default and minimum number of seconds that `saveRecording` saves. */
export const savedSeconds = { default: 30, min: 5 } as const;

export const saveRecording = operation({
  id: "saveRecording",
  method: "POST",
  path: "/api/recording/save",
  access: "session",
  says: "Saves the last seconds as a clip of the running game, without an event. Answers when the clip is saved or has failed; while one is being saved, another request gets the same clip. Without footage, the result is a marker that says why.",
  body: Type.Object({
    seconds: Type.Optional(
      Type.Integer({
        minimum: savedSeconds.min,
        maximum: 300,
        description: "a number of seconds from 5 to the length of the replay buffer, or nothing for 30",
      }),
    ),
  }),
  status: 200,
  reply: Clip,
  errors: inputErrors,
});

export const markMoment = operation({
  id: "markMoment",
  method: "POST",
  path: "/api/recording/mark",
  access: "session",
  says: "Sets a marker at this moment of the running game, without an event.",
  status: 200,
  reply: Clip,
  errors: sessionErrors,
});

export const listRecordingRules = operation({
  id: "listRecordingRules",
  method: "GET",
  path: "/api/recorder/rules",
  access: "session",
  says: "Lists the recording rule of each known event id.",
  status: 200,
  reply: Type.Object({ rules: Type.Array(RecordingRule) }),
  errors: sessionErrors,
});

export const changeRecordingRule = operation({
  id: "changeRecordingRule",
  method: "PUT",
  path: "/api/recorder/rules",
  access: "session",
  says: "Changes the recording rule of an event id. Members that are left out stay unchanged.",
  body: Type.Object({ eventId, ...Type.Partial(Type.Object(ruleMembers)).properties }),
  status: 200,
  reply: RecordingRule,
  errors: inputErrors,
});

export const resetRecordingRule = operation({
  id: "resetRecordingRule",
  method: "DELETE",
  path: "/api/recorder/rules",
  access: "session",
  says: "Resets the recording rule of an event id to the default.",
  query: Type.Object({ eventId: Type.String({ description: "the event id" }) }),
  status: 204,
  errors: inputErrors,
});
