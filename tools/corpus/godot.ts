// Runs the faulty Godot game from source, from a pack and as a release export, and collects its reports.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BuildKind, build, stage } from "../../bindings/godot/test/builds.ts";
import { engineEnv, run } from "../../bindings/godot/test/engine.ts";
import { groupsOf, type Made, programText, type Variant, variants } from "./made.ts";

/** Without `tracksStacks`, a release export has no stacks, so its reports form another group. */
type Run = { readonly kind: BuildKind; readonly form: 0 | 1; readonly tracksStacks: boolean };

const runs: readonly Run[] = [
  { kind: "source", form: 0, tracksStacks: true },
  { kind: "source", form: 1, tracksStacks: true },
  { kind: "pack", form: 0, tracksStacks: true },
  { kind: "release", form: 1, tracksStacks: true },
  { kind: "release", form: 0, tracksStacks: false },
  { kind: "source", form: 0, tracksStacks: true },
  { kind: "release", form: 0, tracksStacks: false },
];

const scripts = {
  main: "main.gd",
  enemy: "actors/enemy.gd",
  inventory: "items/inventory.gd",
  world: "world/world.gd",
  menu: "ui/menu.gd",
};

function writeProject(folder: string, { form, tracksStacks }: Run, { seed, shift }: Variant): void {
  for (const [name, path] of Object.entries(scripts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), programText(`godot/${name}.gd.txt`, { shift, values: { seed, form } }));
  }
  const own = (name: string) => readFileSync(join(import.meta.dirname, "godot", `${name}.txt`), "utf8");
  const settings = own("project.godot");
  writeFileSync(join(folder, "main.tscn"), own("main.tscn"));
  writeFileSync(
    join(folder, "project.godot"),
    tracksStacks ? settings : settings.replace("stacks=true", "stacks=false"),
  );
}

const formNames = ["str(get_stack())", "JSON.stringify(get_stack())"];

async function playOnce(game: Run, variant: Variant): Promise<Made[]> {
  const scratch = mkdtempSync(join(tmpdir(), "kit-corpus-"));
  try {
    const project = join(scratch, variant.folder, "project");
    writeProject(project, game, variant);
    const built = await build(game.kind, project, scratch);
    const program = stage(built, join(scratch, "place"), {});
    const { output } = await run(program, engineEnv(scratch));
    const lines = output.split("\n").filter((line) => line.startsWith("REPORT "));
    const reports = lines.map((line) => JSON.parse(line.slice("REPORT ".length)));
    console.log(`Godot ${game.kind}: ${reports.length} reports`);
    const groups = groupsOf(
      game.tracksStacks ? "godot game" : "godot game without stacks",
      reports.map(({ fault }) => fault),
    );
    const form = `${game.kind}, ${formNames[game.form]} or the logger's backtrace`;
    return reports.map(({ message, stackTrace }, nth) => {
      return { engine: "Godot", form, group: groups[nth] as string, ran: true, message, stackTrace };
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export async function godotReports(): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, game] of runs.entries()) {
    made.push(...(await playOnce(game, variants[(index + 2) % variants.length] as Variant)));
  }
  return made;
}
