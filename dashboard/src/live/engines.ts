// The one line of game code in each engine, and which bindings this version brings.

export type Engine = {
  readonly name: string;
  readonly line: string;
  /** False while the binding is not part of this version: then the line is a promise, and said to be one. */
  readonly ships: boolean;
};

const exampleEvent = "mygame_boss_defeated";

export const engines: readonly Engine[] = [
  { name: "RPG Maker", line: `KitSDK.Recording.triggerEvent("${exampleEvent}");`, ships: true },
  { name: "Godot", line: `KitSDK.recording.trigger_event("${exampleEvent}")`, ships: false },
  { name: "GameMaker", line: `kit_recording_trigger("${exampleEvent}");`, ships: false },
  { name: "MonoGame", line: `KitSDK.Recording.TriggerEvent("${exampleEvent}");`, ships: false },
  { name: "Unity", line: `KitSDK.Recording.TriggerEvent("${exampleEvent}");`, ships: false },
];

export const exampleCommand = `npx kit fire recording ${exampleEvent}`;

/** What every binding sends for that line. */
export const exampleRequest = [
  "POST /api/recording/trigger",
  "Content-Type: application/json",
  "",
  `{"eventId":"${exampleEvent}","timestamp":"2026-01-31T12:00:00.000Z"}`,
].join("\n");
