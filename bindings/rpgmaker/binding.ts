// What pages, packages and tools need to know of the binding for RPG Maker.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "../binding.ts";

const plugin = "bindings/rpgmaker/KitSDK.js";

export const rpgmaker: Binding = {
  kind: "rpgmaker",
  letter: "B",
  name: "RPG Maker",
  language: "MV and MZ",
  steps: [
    "Copy `KitSDK.js` into `js/plugins/` of the project.",
    "Open the plugin manager, add **KitSDK** and switch it on.",
  ],
  lineStep: "Put this into an event's Script command and play the event:",
  line: 'KitSDK.Recording.triggerEvent("mygame_boss_defeated");',
  portStep: "In the plugin manager, set **Launcher URL** of **KitSDK** to {{address}}",
  packages: [
    {
      name: "Plugin",
      // The file name is the plugin's name, so it must not contain a version.
      file: () => "KitSDK.js",
      sources: [plugin],
      make: async ({ root }) => readFileSync(join(root, plugin)),
    },
  ],
  constants: {
    path: "bindings/rpgmaker/KitSDK.js",
    // ES5, because the plugin supports old engines.
    lines: (members) => [
      "var KIT = {",
      ...members.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
      "};",
    ],
  },
  reference: {
    taken: "`KitSDK.js`",
    entry: "global `KitSDK`",
    recording: "`KitSDK.Recording.triggerEvent(eventId)`",
    monitor: "`KitSDK.Monitor.reportError(message, stackTrace)`",
    social: "`KitSDK.Social.triggerEvent(eventId)`",
    settings:
      "Launcher URL · Enable Recording · Enable Monitor · Enable Social · Build · Report Uncaught Errors in the plugin manager",
    settingsInUse: "`KitSDK.Config`, read-only",
    starts: "by itself, when the plugin is on",
  },
};
