// Writes a game folder as a game's author has it: the stand-in's scripts, KitSDK.js, and the plugin list that names it.
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Flavour = "mv" | "mz";

export type GameFolder = {
  readonly flavour: Flavour;
  /** Whether the plugin is switched on in the plugin manager. True by default. */
  readonly isOn?: boolean;
  /** As the plugin manager stores them: strings only. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The script through which a test controls the game. */
  readonly hand: string;
  /** The value of `$setup.hand` for that script. */
  readonly handSetup: unknown;
};

const here = import.meta.dirname;

/** Makes a folder that NW.js can start: it needs an application with a name. */
export function writeManifest(folder: string): void {
  const manifest = { name: "kit-stand-in", main: "index.html", window: { width: 320, height: 240 } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}

export function writeGame(folder: string, { flavour, isOn = true, parameters, hand, handSetup }: GameFolder): void {
  // MZ games may keep plugins in subfolders, so each flavour tests one of the two places.
  const name = flavour === "mz" ? "tools/KitSDK" : "KitSDK";
  cpSync(join(here, "stand-in"), folder, { recursive: true });
  cpSync(join(here, "../KitSDK.js"), join(folder, `js/plugins/${name}.js`));
  cpSync(hand, join(folder, "js/hand.js"));
  const plugins = [{ name, status: isOn, description: "", parameters }];
  writeFileSync(join(folder, "js/plugins.js"), `var $plugins = ${JSON.stringify(plugins)};\n`);
  writeFileSync(join(folder, "js/setup.js"), `var $setup = ${JSON.stringify({ flavour, hand: handSetup })};\n`);
  writeManifest(folder);
}
