// How the recorder is set: the defaults, and what a person changed of them.
import { KitError, RecorderSettings, recorderDefaults } from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import { assertFits } from "../../http/validation.ts";
import type { Statement } from "../../storage/sql.ts";
import type { PasswordFile } from "./password-file.ts";
import { saveSetting } from "./setting-store.ts";

type SettingsChange = { readonly [Name in keyof RecorderSettings]?: RecorderSettings[Name] | undefined } & {
  readonly obsPassword?: string | null | undefined;
};

export type Settings = {
  /** Reads what is on disk. */
  load(): Promise<void>;
  /** Until it was read nothing is captured: who switched the recorder off must not be recorded. */
  now(): RecorderSettings;
  obsPasswordSet(): boolean;
  /** Rejects with KitError payload_invalid when the settings do not go together; nothing is changed then. */
  change(change: SettingsChange): Promise<void>;
};

export type SettingsNeeds = {
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly password: PasswordFile;
  /** The most footage before a moment that a rule asks for. */
  readonly longestPreSeconds: () => number;
  /** Called when a change is durable. */
  readonly onChanged: () => void;
};

const names = Object.keys(recorderDefaults) as (keyof RecorderSettings)[];

function fits(name: keyof RecorderSettings, value: unknown): boolean {
  try {
    assertFits(RecorderSettings.properties[name], value);
    return true;
  } catch {
    return false;
  }
}

/** What is stored, as far as this version knows it: an older or newer one may have allowed something else. */
const known = (stored: Readonly<Record<string, unknown>>): Partial<RecorderSettings> =>
  Object.fromEntries(
    names.filter((name) => name in stored && fits(name, stored[name])).map((name) => [name, stored[name]]),
  );

function assertSensible({ bufferSeconds, obsUrl }: RecorderSettings, longestPreSeconds: number): void {
  const refuse = (path: string, message: string): never => {
    throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
  };
  if (bufferSeconds < longestPreSeconds) {
    refuse(
      "/bufferSeconds",
      `must be at least ${longestPreSeconds}: a rule asks for that many seconds before a moment`,
    );
  }
  if (!URL.canParse(obsUrl)) refuse("/obsUrl", "must name a port from 1 to 65535");
}

export function createSettings({ load, write, password, longestPreSeconds, onChanged }: SettingsNeeds): Settings {
  let settings: RecorderSettings | undefined;
  let obsPasswordSet = false;
  const serialize = createSerialQueue();

  const change = async ({ obsPassword, ...members }: SettingsChange) => {
    if (settings === undefined) {
      throw new KitError("storage_unavailable", "The database cannot be read yet. `kit doctor` says why.");
    }
    const before = settings;
    const changed = names.filter((name) => members[name] !== undefined && members[name] !== before[name]);
    const next = { ...before, ...Object.fromEntries(changed.map((name) => [name, members[name]])) } as RecorderSettings;
    if (changed.length > 0) assertSensible(next, longestPreSeconds());
    let isDone = false;
    try {
      if (obsPassword !== undefined) {
        await password.write(obsPassword);
        obsPasswordSet = obsPassword !== null;
        isDone = true;
      }
      if (changed.length > 0) {
        await write(...changed.map((name) => saveSetting(name, next[name])));
        settings = next;
        isDone = true;
      }
    } finally {
      // One of the two may be durable where the other failed.
      if (isDone) onChanged();
    }
  };
  return {
    async load() {
      const [stored, secret] = await Promise.all([load(), password.read()]);
      settings = { ...recorderDefaults, ...known(stored) };
      obsPasswordSet = secret !== null;
    },
    now: () => settings ?? { ...recorderDefaults, when: "never" },
    obsPasswordSet: () => obsPasswordSet,
    change: (members) => serialize(() => change(members)),
  };
}
