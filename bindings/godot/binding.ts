// What pages, packages and tools need to know of the binding for Godot.
import type { Binding } from "../binding.ts";

const addon = "bindings/godot/addons/kit_sdk";

export const godot: Binding = {
  kind: "godot",
  letter: "A",
  name: "Godot",
  language: "GDScript",
  steps: [
    "Unpack the file into the project so that `addons/kit_sdk/` is beside `project.godot`.",
    "**Project → Project Settings → Plugins**: enable **Kit SDK**.",
  ],
  lineStep: "Paste this into a script and start the game:",
  line: 'KitSDK.recording.trigger_event("mygame_boss_defeated")',
  portStep: "In the project settings, set `kit_sdk/launcher_url` to {{address}}",
  packages: [
    {
      name: "Add-on",
      file: (version) => `kit-godot-${version}.zip`,
      sources: [addon],
      make: async ({ zipOf, read }) =>
        zipOf(read(addon, ["**/*.{gd,gd.uid,cfg,md,svg,svg.import}", "LICENSE"], "addons/kit_sdk/")),
    },
  ],
  constants: {
    path: "bindings/godot/addons/kit_sdk/kit_constants.gd",
    // With explicit types, because the project treats missing types as errors.
    lines: (members) =>
      members.map(([name, value]) => {
        const constant = name.replace(/[A-Z]/g, "_$&").toUpperCase();
        return `const ${constant}: ${typeof value === "string" ? "String" : "int"} = ${JSON.stringify(value)}`;
      }),
  },
  reference: {
    taken: "the add-on `kit_sdk`",
    entry: "autoload `KitSDK`",
    recording: "`KitSDK.recording.trigger_event(event_id)`",
    monitor: '`KitSDK.monitor.report_error(message, stack_trace = "")`',
    social: "`KitSDK.social.trigger_event(event_id)`",
    settings:
      "`kit_sdk/launcher_url` · `kit_sdk/enable_recording` · `kit_sdk/enable_monitor` · `kit_sdk/enable_social` · `kit_sdk/build` · `kit_sdk/report_uncaught_errors` · `kit_sdk/debug_logging` in the project settings",
    settingsInUse: "properties of the same names on `KitSDK`",
    starts: "by itself, when the plugin is enabled",
  },
};
