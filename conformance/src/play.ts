// Runs a driver with a plan and collects its reports.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Binding, Driver } from "./binding.ts";
import { Settings } from "./case.ts";
import type { PlannedCase } from "./plan.ts";

const ReadBack = Type.Object({ initialized: Type.Boolean(), config: Type.Optional(Settings) });
const Pair = Type.Tuple([Type.Number(), Type.Number()]);

/** A line of a driver's output. All members are optional, because late results come in separate lines. */
const Line = Type.Object({
  case: Type.String(),
  calls: Type.Optional(Type.Array(Pair)),
  failures: Type.Optional(Type.Array(Pair)),
  threw: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Array(Type.String())),
  reads: Type.Optional(Type.Array(ReadBack)),
  frames: Type.Optional(Type.Integer()),
  quitMs: Type.Optional(Type.Number()),
});

/** A driver's report on one case, merged from all lines. */
export type DriverReport = {
  readonly calls: (readonly [number, number])[];
  readonly failures: (readonly [number, number])[];
  readonly threw: string[];
  readonly errors: string[];
  readonly reads: Type.Static<typeof ReadBack>[];
  frames: number;
  quitMs: number | undefined;
};

export type Played = {
  /** Name and version of the engine; from the description if the driver did not report them. */
  readonly engine: string;
  readonly told: ReadonlyMap<string, DriverReport>;
  /** Problems of the run, such as an exit code or an invalid line. */
  readonly trouble: readonly string[];
  /** The end of all other output. */
  readonly output: string;
};

const playMsMax = 8 * 60_000;
const outputCharsMax = 4_000;
// Time for the last output on a busy computer.
const lastWordsMsMax = 3_000;

const nothingTold = (): DriverReport => ({
  calls: [],
  failures: [],
  threw: [],
  errors: [],
  reads: [],
  frames: 0,
  quitMs: undefined,
});

class Account {
  private readonly planned: ReadonlySet<string>;
  engine: string | undefined;
  readonly told = new Map<string, DriverReport>();
  readonly trouble: string[] = [];
  output = "";

  constructor(cases: readonly PlannedCase[]) {
    this.planned = new Set(cases.map(({ id }) => id));
  }

  hear(line: string): void {
    if (!line.startsWith("{")) return this.keep(line);
    let said: unknown;
    try {
      said = JSON.parse(line);
    } catch {
      return this.keep(line);
    }
    if (Value.Check(Type.Object({ engine: Type.String() }), said)) this.engine = said.engine;
    else if (Value.Check(Line, said) && this.planned.has(said.case)) this.add(said);
    else if (Value.Check(Line, said))
      this.trouble.push(`the driver told of a case that is not in its plan: ${said.case}`);
    else this.trouble.push(`a line breaks the protocol: ${line.slice(0, 200)}`);
  }

  keep(line: string): void {
    this.output = `${this.output}${line}\n`.slice(-outputCharsMax);
  }

  private add(said: Type.Static<typeof Line>): void {
    const told = this.told.get(said.case) ?? nothingTold();
    this.told.set(said.case, told);
    told.calls.push(...(said.calls ?? []));
    told.failures.push(...(said.failures ?? []));
    told.threw.push(...(said.threw ?? []));
    told.errors.push(...(said.errors ?? []));
    told.reads.push(...(said.reads ?? []));
    told.frames += said.frames ?? 0;
    told.quitMs = said.quitMs ?? told.quitMs;
  }
}

function run(driver: Driver, folder: string, plan: string, account: Account): Promise<void> {
  const [program = "", ...words] = driver.command;
  // `node` means the Node that runs this process.
  const child = spawn(program === "node" ? process.execPath : program, [...words, plan], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: playMsMax,
  });
  createInterface({ input: child.stdout }).on("line", (line) => account.hear(line));
  createInterface({ input: child.stderr }).on("line", (line) => account.keep(line));
  return new Promise((resolve) => {
    child.once("error", (error) => {
      account.trouble.push(`cannot be started: ${error.message}`);
      resolve();
    });
    child.once("exit", (code, signal) => {
      if (code !== 0) account.trouble.push(`the driver ended with ${code ?? signal}`);
      setTimeout(() => {
        if (!child.stdout.closed || !child.stderr.closed)
          account.trouble.push("the driver left a process behind that holds its output");
        child.stdout.destroy();
        child.stderr.destroy();
      }, lastWordsMsMax).unref();
    });
    child.once("close", () => resolve());
  });
}

export async function play(binding: Binding, driver: Driver, cases: readonly PlannedCase[]): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "kit-conform-"));
  const account = new Account(cases);
  try {
    const plan = join(folder, "plan.json");
    writeFileSync(plan, JSON.stringify({ cases }));
    await run(driver, binding.folder, plan, account);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (account.engine === undefined) account.trouble.push("the driver did not name its engine");
  const { told, trouble, output } = account;
  return { engine: account.engine ?? driver.engine, told, trouble, output };
}
