// Declares commands: `command(name, summary, { parameters, flags, run })`. Parses the command line, connects to the launcher
// on the first call, and prints the answer as text or JSON.

import type { Client } from "@kit/contract";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { type Config, readConfig } from "../config.ts";
import { connectToLauncher, type LauncherConnection } from "./connection.ts";
import { print, printCommandsFor, printJson } from "./output.ts";
import { terminal } from "./terminal.ts";

/** A flag. `value` does not exist at run time: its type is that of the value which `run` gets. */
export class Flag<T> {
  declare readonly value: T;
  readonly options: readonly Option[];

  constructor(...options: readonly Option[]) {
    this.options = options;
  }
}

export const textFlag = (flags: string, description: string) =>
  new Flag<string | undefined>(new Option(flags, description));

export const toggleFlag = (flags: string, description: string) =>
  new Flag<true | undefined>(new Option(flags, description));

/** A flag such as `--no-open`. Its value is false if it is given, otherwise true. */
export const negatedFlag = (flags: string, description: string) => new Flag<boolean>(new Option(flags, description));

/** A flag with a parser. If the flag is repeated, the parser also gets the value so far. */
export const parsedFlag = <T>(flags: string, description: string, parse: (given: string, before?: T) => T) =>
  new Flag<T | undefined>(new Option(flags, description).argParser(parse));

export function withDefault<T>({ options }: Flag<T | undefined>, value: T): Flag<T> {
  for (const option of options) option.default(value);
  return new Flag<T>(...options);
}

export function hiddenFlag<T>({ options }: Flag<T>): Flag<T> {
  for (const option of options) option.hideHelp();
  return new Flag<T>(...options);
}

export const confirmedFlag = () => toggleFlag("--yes", "do not ask for confirmation");

/** A positional argument. `value` does not exist at run time, as in `Flag`. */
class Parameter<T> {
  declare readonly value: T;
  readonly argument: Argument;

  constructor(argument: Argument) {
    this.argument = argument;
  }
}

type ParameterValue<Name extends string> = Name extends `${string}...${string}`
  ? readonly string[]
  : Name extends `[${string}`
    ? string | undefined
    : string;

/** `<name>` is required, `[name]` optional; `...` at its end allows several. */
export const parameter = <const Name extends string>(name: Name, description = ""): Parameter<ParameterValue<Name>> =>
  new Parameter(new Argument(name, description));

/** Returns a parser of whole numbers from `min` to `max`. */
export const integerParser =
  (min: number, max: number) =>
  (given: string): number => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };

/** What a command prints: `json` with --json, otherwise what `print` prints. */
export type CommandAnswer = { readonly json: unknown; readonly print: () => void | Promise<void> };

export const answer = <T>(value: T, shown: string | ((value: T) => void | Promise<void>)): CommandAnswer => ({
  json: value,
  print: () => (typeof shown === "string" ? print(shown) : shown(value)),
});

type Flags = Readonly<Record<string, Flag<unknown>>>;
type Parameters = readonly Parameter<unknown>[];
type OptionalNames<F extends Flags> = { [N in keyof F]: undefined extends F[N]["value"] ? N : never }[keyof F];
type FlagValues<F extends Flags> = { readonly [N in Exclude<keyof F, OptionalNames<F>>]: F[N]["value"] } & {
  readonly [N in OptionalNames<F>]?: Exclude<F[N]["value"], undefined>;
};
type ParameterValues<P extends Parameters> = { [N in keyof P]: P[N]["value"] };

export type CommandContext<F extends Flags> = {
  /** The client of the launcher with this data directory. Connects on the first call. */
  readonly client: Client;
  /** Connects now. A command uses this before it asks for input, so that nobody types in vain. */
  readonly connect: () => Promise<LauncherConnection>;
  readonly config: Config;
  /** The values of the command's own flags. A flag that was not given and has no default is absent. */
  readonly flags: FlagValues<F>;
  readonly json: boolean;
};

type Definition<F extends Flags, P extends Parameters> = {
  readonly parameters?: P;
  readonly flags?: F;
  /** Text that `--help` prints after the list of flags. */
  readonly help?: string;
  readonly subcommands?: readonly Command[];
  readonly run?: (
    context: CommandContext<F>,
    ...given: ParameterValues<P>
  ) => CommandAnswer | undefined | Promise<CommandAnswer | undefined>;
};

const commonOptions = () => [
  new Option("--data-dir <dir>", "Kit's data directory (default: the system's folder for application data)"),
  new Option("--port <n>", "port of the launcher (default: that of the running launcher, otherwise 9876)"),
  new Option("--json", "print JSON"),
];

function flagValues(flags: Flags, running: Command): Record<string, unknown> {
  const all = Object.entries(flags).map(([name, { options }]) => {
    return [name, running.getOptionValue(options[0]?.attributeName() ?? "")] as const;
  });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function contextOf<F extends Flags>(flags: F, running: Command): CommandContext<F> {
  const { port, dataDir, clipsDir, json = false } = running.opts();
  const given = {
    ...(port !== undefined && { port }),
    ...(dataDir !== undefined && { dataDir }),
    ...(clipsDir !== undefined && { clipsDir }),
  };
  const config = readConfig(given, terminal().env);
  printCommandsFor(config);
  let connection: Promise<LauncherConnection> | undefined;
  const connectOnce = () => {
    connection ??= connectToLauncher(config);
    return connection;
  };
  return {
    client: {
      call: async (declared, given) => (await connectOnce()).client.call(declared, given),
      open: async (declared, given, init) => (await connectOnce()).client.open(declared, given, init),
    },
    connect: connectOnce,
    config,
    flags: flagValues(flags, running) as FlagValues<F>,
    json,
  };
}

const commanderOutput = {
  writeOut: (text: string) => void terminal().stdout.write(text),
  writeErr: (text: string) => void terminal().stderr.write(text),
  getOutHelpWidth: () => terminal().stdout.columns ?? 80,
};

export function command<const F extends Flags = Record<never, never>, const P extends Parameters = readonly []>(
  name: string,
  summary: string,
  definition: Definition<F, P> = {},
): Command {
  const { parameters = [], flags = {} as F, help, subcommands = [], run } = definition;
  const created = new Command(name).description(summary).configureOutput(commanderOutput);
  for (const { argument } of parameters) created.addArgument(argument);
  for (const option of [...commonOptions(), ...Object.values(flags).flatMap(({ options }) => options)])
    created.addOption(option);
  for (const each of subcommands) created.addCommand(each);
  if (help !== undefined) created.addHelpText("after", help);
  if (run === undefined) return created;
  return created.action(async (...given: unknown[]) => {
    const context = contextOf(flags, created);
    const result = await run(context, ...(given.slice(0, parameters.length) as unknown as ParameterValues<P>));
    if (result === undefined) return;
    if (context.json) printJson(result.json);
    else await result.print();
  });
}
