// The recorder: what it does now, how it is set, and what each event id makes of the screen.
import { Type } from "typebox";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

export const recorderStates = ["off", "idle", "starting", "recording", "broken"] as const;
export type RecorderStateName = (typeof recorderStates)[number];

export const RecorderState = Type.Object(
  {
    state: Type.Enum(recorderStates, {
      description:
        "off: switched off; idle: waits for a game; starting; recording: footage of the last seconds is held in memory; broken: `detail` says what to do",
    }),
    detail: Type.String({
      description: "One sentence a person understands: what is captured, or what is wrong and what to do",
    }),
    backend: Type.Union([Type.Enum(["ffmpeg", "obs"]), Type.Null()], {
      description: "Who captures; null is nobody: moments become markers",
    }),
    source: Type.Union([Type.String(), Type.Null()], {
      description: "What is captured, e.g. `screen :0` or a window's title",
    }),
    encoder: Type.Union([Type.String(), Type.Null()], { description: "e.g. libx264" }),
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Type.Number({ description: "Frames a second that really arrived, over the last seconds" }),
    heldSeconds: Type.Number({ description: "Seconds of footage in the replay buffer" }),
    heldBytes: Type.Integer(),
    degraded: Type.Union([Type.String(), Type.Null()], {
      description: "What was stepped down because the machine could not keep up",
    }),
    restarts: Type.Integer({ description: "Times the capture had to be started anew since the launcher began" }),
    lostSeconds: Type.Number({ description: "Seconds without footage between those, in total" }),
  },
  { description: "What the recorder does now" },
);
export type RecorderState = Type.Static<typeof RecorderState>;

export const RecorderSettings = Type.Object(
  {
    when: Type.Enum(["automatic", "always", "never"], {
      description: "automatic: from a game's first event until it ends or falls silent; always; never",
    }),
    backend: Type.Enum(["automatic", "ffmpeg", "obs"], {
      description: "automatic: OBS while it answers, else ffmpeg",
    }),
    window: Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
      description: "Part of a window's title: only that window is captured; null is the whole screen",
    }),
    frameRate: Type.Enum([15, 20, 30, 60], { description: "frames a second" }),
    height: Type.Enum([480, 720, 1080, 0], {
      description: "pixels; a smaller picture is never enlarged; 0 is the source's own",
    }),
    quality: Type.Enum(["low", "standard", "high"]),
    sound: Type.Enum(["system", "off"], { description: "system: what the machine plays, where it can be had" }),
    bufferSeconds: Type.Integer({
      minimum: 20,
      maximum: 300,
      description: "Seconds of footage kept in memory, 20 to 300",
    }),
    quotaBytes: Type.Integer({
      minimum: 100_000_000,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "What all clips together may hold, in bytes, from 100,000,000",
    }),
    obsUrl: Type.String({
      maxLength: 200,
      pattern: "^ws://(127\\.0\\.0\\.1|\\[::1\\]|localhost):\\d{1,5}$",
      description: "Where OBS listens on this machine, e.g. ws://127.0.0.1:4455",
    }),
  },
  { description: "How the recorder is set" },
);
export type RecorderSettings = Type.Static<typeof RecorderSettings>;

export const recorderDefaults: RecorderSettings = {
  when: "automatic",
  backend: "automatic",
  window: null,
  frameRate: 30,
  height: 720,
  quality: "standard",
  sound: "system",
  bufferSeconds: 90,
  quotaBytes: 20_000_000_000,
  obsUrl: "ws://127.0.0.1:4455",
};

export const RecorderReport = Type.Object(
  {
    state: RecorderState,
    settings: RecorderSettings,
    obsPasswordSet: Type.Boolean({ description: "The password itself is never given out" }),
    ffmpeg: Type.Union(
      [
        Type.Object({ path: Type.String(), version: Type.String(), from: Type.Enum(["setting", "path", "package"]) }),
        Type.Null(),
      ],
      { description: "The ffmpeg in use; null when none was found" },
    ),
  },
  { description: "The recorder in full" },
);
export type RecorderReport = Type.Static<typeof RecorderReport>;

export const recordingActions = ["clip", "screenshot", "marker", "nothing"] as const;
export type RecordingAction = (typeof recordingActions)[number];

export const RecordingRule = Type.Object(
  {
    eventId: Type.String({ description: "The event id it is for" }),
    action: Type.Enum(recordingActions),
    preSeconds: Type.Number({ minimum: 0, maximum: 120, description: "Footage before the moment, in seconds" }),
    postSeconds: Type.Number({ minimum: 0, maximum: 60, description: "Footage after it, in seconds" }),
    mergeGapSeconds: Type.Number({
      minimum: 0,
      maximum: 60,
      description: "A moment this soon after a clip's end still joins it, in seconds",
    }),
    longestSeconds: Type.Number({
      minimum: 5,
      maximum: 300,
      description: "No clip is longer; the next moment begins another, in seconds",
    }),
    cooldownSeconds: Type.Number({
      minimum: 0,
      maximum: 3_600,
      description: "The same id this soon again makes a clip no longer, in seconds",
    }),
    priority: Type.Integer({ minimum: 0, maximum: 1_000, description: "What is kept longest when room is needed" }),
    changed: Type.Boolean({ description: "False while it is the default" }),
  },
  { description: "What one event id makes of the screen" },
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

export const TestRecording = Type.Object(
  {
    ok: Type.Boolean(),
    says: Type.String({ description: "The result in one sentence" }),
    tried: Type.Array(Type.Object({ what: Type.String(), ok: Type.Boolean(), why: Type.String() }), {
      description: "Every backend, input and encoder that was run, in order, and why it was taken or not",
    }),
    clip: Type.Union([Type.String(), Type.Null()], { description: "Id of the clip that was made" }),
  },
  { description: "What a test recording found" },
);
export type TestRecording = Type.Static<typeof TestRecording>;

export const getRecorder = operation({
  id: "getRecorder",
  method: "GET",
  path: "/api/recorder",
  access: "session",
  says: "What the recorder does now, how it is set, and which ffmpeg it uses.",
  status: 200,
  reply: RecorderReport,
  errors: sessionErrors,
});

export const changeRecorder = operation({
  id: "changeRecorder",
  method: "PUT",
  path: "/api/recorder",
  access: "session",
  says: "Sets the recorder; what is left out stays as it is. A running capture goes on with the new settings.",
  body: Type.Object({
    ...Type.Partial(RecorderSettings).properties,
    obsPassword: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
        description: "OBS's WebSocket password; kept in a file of its own for its owner alone; null forgets it",
      }),
    ),
  }),
  status: 200,
  reply: RecorderReport,
  errors: changeErrors,
});

export const testRecorder = operation({
  id: "testRecorder",
  method: "POST",
  path: "/api/recorder/test",
  access: "session",
  says: "Records a few seconds now, and says what was chosen and why.",
  status: 200,
  reply: TestRecording,
  errors: [...sessionErrors, "too_many_requests"],
});

export const listRecordingRules = operation({
  id: "listRecordingRules",
  method: "GET",
  path: "/api/recorder/rules",
  access: "session",
  says: "What each known event id makes of the screen.",
  status: 200,
  reply: Type.Object({ rules: Type.Array(RecordingRule) }),
  errors: sessionErrors,
});

export const changeRecordingRule = operation({
  id: "changeRecordingRule",
  method: "PUT",
  path: "/api/recorder/rules",
  access: "session",
  says: "Says what an event id makes of the screen; what is left out stays as it is.",
  body: Type.Object({ eventId, ...Type.Partial(Type.Object(ruleMembers)).properties }),
  status: 200,
  reply: RecordingRule,
  errors: changeErrors,
});

export const resetRecordingRule = operation({
  id: "resetRecordingRule",
  method: "DELETE",
  path: "/api/recorder/rules",
  access: "session",
  says: "Returns an event id to the defaults.",
  query: Type.Object({ eventId: Type.String({ description: "the event id" }) }),
  status: 204,
  errors: changeErrors,
});
