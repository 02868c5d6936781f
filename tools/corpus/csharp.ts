// Compiles and runs the faulty C# game, on .NET as a MonoGame game and on Mono as a Unity game.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathOf } from "../engines/locate.ts";
import { groupsOf, type Made, programText, type Variant, variants } from "./made.ts";

type Runtime = ".NET" | "Mono";
type Form = "trace" | "whole" | "message" | "unity";
type Run = { readonly runtime: Runtime; readonly form: Form; readonly symbols: boolean; readonly optimized: boolean };

const runs: readonly Run[] = [
  { runtime: ".NET", form: "trace", symbols: true, optimized: false },
  { runtime: ".NET", form: "whole", symbols: true, optimized: false },
  { runtime: ".NET", form: "trace", symbols: false, optimized: true },
  { runtime: ".NET", form: "message", symbols: true, optimized: true },
  { runtime: ".NET", form: "trace", symbols: true, optimized: true },
  { runtime: "Mono", form: "trace", symbols: true, optimized: false },
  { runtime: "Mono", form: "unity", symbols: true, optimized: false },
  { runtime: "Mono", form: "trace", symbols: false, optimized: true },
  { runtime: "Mono", form: "whole", symbols: true, optimized: true },
  { runtime: "Mono", form: "unity", symbols: false, optimized: true },
];

const programs: Readonly<Record<Runtime, { name: string; space: string; sources: string }>> = {
  ".NET": { name: "monogame game", space: "Dungeon.", sources: "src" },
  Mono: { name: "unity game", space: "Tower.Game.", sources: "Assets/Scripts" },
};

const newest = (folder: string) => readdirSync(folder).sort((a, b) => b.localeCompare(a, "en", { numeric: true }))[0];

function referencesOf(runtime: Runtime): string[] {
  if (runtime === "Mono") return ["mscorlib", "System", "System.Core"].map((name) => `/usr/lib/mono/4.5/${name}.dll`);
  const packs = join(dotnetHome(), "packs/Microsoft.NETCore.App.Ref");
  const ref = join(packs, newest(packs) ?? "", "ref");
  const folder = join(ref, newest(ref) ?? "");
  return readdirSync(folder).flatMap((name) => (name.endsWith(".dll") ? join(folder, name) : []));
}

function dotnetHome(): string {
  const said = execFileSync(pathOf(".NET"), ["--list-sdks"], { encoding: "utf8" });
  return dirname(/\[(.+)\]/.exec(said)?.[1] ?? "");
}

function compile(run: Run, folder: string, variant: Variant): string {
  const { space, sources } = programs[run.runtime];
  const paths = ["Combat", "World", "Play"].map((name) => {
    const path = join(folder, sources, `${name}.cs`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, programText(`csharp/${name}.cs.txt`, { shift: variant.shift, values: { space } }));
    return path;
  });
  const sdks = join(dotnetHome(), "sdk");
  const compiler = join(sdks, newest(sdks) ?? "", "Roslyn/bincore/csc.dll");
  const target = join(folder, run.runtime === "Mono" ? "Game.exe" : "Game.dll");
  const words = [`-out:${target}`, "-nologo", "-nostdlib", "-warn:0", `-optimize${run.optimized ? "+" : "-"}`];
  words.push(run.symbols ? "-debug:portable" : "-debug-", ...referencesOf(run.runtime).map((path) => `-r:${path}`));
  execFileSync("nice", [pathOf(".NET"), "exec", compiler, ...words, ...paths]);
  return target;
}

function play(run: Run, program: string, seed: number): string {
  const options = { encoding: "utf8", maxBuffer: 1 << 24 } as const;
  if (run.runtime === "Mono") {
    return execFileSync("nice", [pathOf("Mono"), "--debug", program, String(seed), run.form], options);
  }
  const said = execFileSync(pathOf(".NET"), ["--list-runtimes"], { encoding: "utf8" });
  const version = /Microsoft\.NETCore\.App (\S+)/.exec(said)?.[1];
  const framework = { name: "Microsoft.NETCore.App", version };
  const config = { runtimeOptions: { tfm: `net${version?.split(".")[0]}.0`, framework } };
  writeFileSync(program.replace(/dll$/, "runtimeconfig.json"), JSON.stringify(config));
  return execFileSync("nice", [pathOf(".NET"), "exec", program, String(seed), run.form], options);
}

function reportsIn(said: string): string[][] {
  const lines = said.split("\n").filter((line) => line.startsWith("REPORT "));
  return lines.map((line) => {
    const words = line.split(" ").slice(1);
    return words.map((word) => Buffer.from(word, "base64").toString());
  });
}

export function csharpReports(): Made[] {
  return runs.flatMap((run, index) => {
    const variant = variants[index % variants.length] as Variant;
    const scratch = mkdtempSync(join(tmpdir(), "kit-corpus-"));
    try {
      const said = play(run, compile(run, join(scratch, variant.folder), variant), variant.seed + index);
      const reports = reportsIn(said);
      console.log(`${run.runtime} ${run.form}: ${reports.length} reports`);
      const groups = groupsOf(
        programs[run.runtime].name,
        reports.map(([fault]) => fault as string),
      );
      const form = `${run.form}, ${run.optimized ? "release" : "debug"}${run.symbols ? "" : " without symbols"}`;
      return reports.map(([, message = "", stackTrace = ""], nth) => {
        return { engine: run.runtime, form, group: groups[nth] as string, ran: true, message, stackTrace };
      });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
}
