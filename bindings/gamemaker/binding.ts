// What pages, packages and tools need to know of the binding for GameMaker.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "../binding.ts";

const project = "bindings/gamemaker/project";
const script = `${project}/scripts/kit_sdk/kit_sdk.gml`;

export const gamemaker: Binding = {
  kind: "gamemaker",
  letter: "C",
  name: "GameMaker",
  language: "GML",
  steps: ["Drag `Kit.yymps` onto the GameMaker IDE (or choose **Tools > Import Local Package**) and import all of it."],
  lineStep: "Put this into any event and run the game:",
  line: 'kit_recording_trigger("mygame_boss_defeated");',
  portStep: "When the game starts, call `kit_init` with a struct whose `launcher_url` is {{address}}",
  packages: [
    {
      name: "Local package",
      file: () => "Kit.yymps",
      sources: [script, "bindings/gamemaker/package"],
      make: async ({ root, version, zipOf }) => {
        const { packageFiles } = await import("./package/files.ts");
        const files = packageFiles(version, {
          read: (path) => readFileSync(join(root, project, path)),
          md5: (bytes) => createHash("md5").update(bytes).digest("hex"),
        });
        return zipOf(files);
      },
    },
    {
      name: "The script alone",
      file: () => "kit_sdk.gml",
      sources: [script],
      make: async ({ root }) => readFileSync(join(root, script)),
    },
  ],
  constants: {
    path: "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml",
    // Without the rate of uncaught errors, because the first one ends a GameMaker game.
    lines: (members) =>
      members
        .filter(([name]) => name !== "uncaughtPerSecondMax")
        .map(([name, value]) => {
          return `#macro __KIT_${name.replace(/[A-Z]/g, "_$&").toUpperCase()} ${JSON.stringify(value)}`;
        }),
  },
  reference: {
    taken: "`.yymps`, or `kit_sdk.gml`",
    entry: "`kit_init([config])`",
    recording: "`kit_recording_trigger(event_id)`",
    monitor: "`kit_monitor_report(message, [stack_trace])`",
    social: "`kit_social_trigger(event_id)`",
    settings:
      "struct `launcher_url` · `enable_recording` · `enable_monitor` · `enable_social` · `build` · `report_uncaught_errors`",
    settingsInUse: "`global.__kit_config`",
    starts: "with `kit_init`, or the first call",
  },
};
