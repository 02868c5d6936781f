// Builds a Godot project as players get it: the project itself, a pack for the engine, or a release export.
import { cpSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathOf } from "../../../tools/engines/locate.ts";
import { engineEnv, type Program, run } from "./engine.ts";

export const buildKinds = ["source", "pack", "release"] as const;
export type BuildKind = (typeof buildKinds)[number];
export type Build = { readonly kind: BuildKind; readonly folder: string };
export type Settings = Readonly<Record<string, string | boolean>>;

const addon = join(import.meta.dirname, "../addons");

/** Copies the add-on into the project in `folder` as in a fresh checkout, without imported files. */
export function addAddon(folder: string): void {
  cpSync(addon, join(folder, "addons"), { recursive: true });
}

const preset = `[preset.0]
name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
include_filter=""
exclude_filter=""
export_path=""

[preset.0.options]
binary_format/embed_pck=false
binary_format/architecture="x86_64"
`;

/** Builds the project in `project`, below `scratch`. Throws the engine's output if that fails. */
export async function build(kind: BuildKind, project: string, scratch: string): Promise<Build> {
  if (kind === "source") return { kind, folder: project };
  const folder = join(scratch, kind);
  mkdirSync(folder, { recursive: true });
  const template = kind === "release" ? `custom_template/release="${pathOf("Godot release template")}"\n` : "";
  writeFileSync(join(project, "export_presets.cfg"), preset + template);
  const words = kind === "pack" ? ["--export-pack", "Linux", "game.pck"] : ["--export-release", "Linux", "game.x86_64"];
  const target = join(folder, words.pop() ?? "");
  const program = { path: pathOf("Godot"), words: [...words, target], cwd: project };
  const { code, output, errors } = await run(program, engineEnv(scratch));
  if (code !== 0 || errors.length > 0) throw new Error(`the export ended with ${code}:\n${output}`);
  return { kind, folder };
}

const quote = (value: string) => `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** Project settings as the text of an `override.cfg`, which overrides those of the project. */
export function settingsText(section: string, settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    return `${name}=${typeof value === "string" ? quote(value) : value}\n`;
  });
  return `[${section}]\n\n${lines.join("")}`;
}

/** Copies the build into the new folder `place`, with `settings` of the add-on in place of its own. */
export function stage({ kind, folder }: Build, place: string, settings: Settings): Program {
  mkdirSync(place, { recursive: true });
  if (Object.keys(settings).length > 0) writeFileSync(join(place, "override.cfg"), settingsText("kit_sdk", settings));
  if (kind === "release") {
    // Not symbolic links: the engine looks for its files beside their targets.
    for (const name of ["game.x86_64", "game.pck"]) linkSync(join(folder, name), join(place, name));
    return { path: join(place, "game.x86_64"), words: [], cwd: place };
  }
  if (kind === "pack") {
    symlinkSync(join(folder, "game.pck"), join(place, "game.pck"));
    return { path: pathOf("Godot"), words: ["--main-pack", join(place, "game.pck")], cwd: place };
  }
  cpSync(folder, place, { recursive: true });
  return { path: pathOf("Godot"), words: ["--path", place], cwd: place };
}
