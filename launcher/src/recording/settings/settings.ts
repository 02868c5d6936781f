// The settings of the recorder: the defaults, and what a person changed.

import { readFile, rm, writeFile } from "node:fs/promises";
import { KitError, RecorderSettings, recorderDefaults, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import { assertValid } from "../../http/validation.ts";
import { renameWithRetry } from "../../renames.ts";
import type { Statement } from "../../storage/sql.ts";
import { formatKeyCombination, parseKeyCombination } from "../shortcuts/key-combination.ts";
import { saveRecorderSetting } from "./setting-store.ts";

type SettingsChange = { readonly [Name in keyof RecorderSettings]?: RecorderSettings[Name] | undefined } & {
  readonly obsPassword?: string | null | undefined;
};

export type StoredRecorderSettings = {
  load(): Promise<void>;
  /** Until `load` has ended, `when` is `never`, because that may be the stored setting. */
  current(): RecorderSettings;
  hasObsPassword(): boolean;
  /** If the settings contradict each other, changes nothing and rejects with KitError payload_invalid. */
  change(change: SettingsChange): Promise<void>;
};

export type RecorderSettingsDeps = {
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly password: PasswordFile;
  /** Returns the longest pre-roll of any rule. */
  readonly maxPreSeconds: () => number;
  /** Called with the changed settings when a change is durable; without any if it was the password. */
  readonly onChanged: (changed: readonly (keyof RecorderSettings)[]) => void;
};

const names = Object.keys(recorderDefaults) as (keyof RecorderSettings)[];

function isValid(name: keyof RecorderSettings, value: unknown): boolean {
  try {
    assertValid(RecorderSettings.properties[name], value);
    return true;
  } catch {
    return false;
  }
}

/** Drops stored settings that are invalid here: another version of Kit may have stored them. */
const validSettings = (stored: Readonly<Record<string, unknown>>): Partial<RecorderSettings> =>
  Object.fromEntries(
    names.filter((name) => name in stored && isValid(name, stored[name])).map((name) => [name, stored[name]]),
  );

/** Returns the hotkey as Kit writes it. Rejects text that names none. */
function readHotkey(name: "saveHotkey" | "markHotkey", text: string): string {
  const parsed = parseKeyCombination(text);
  return parsed === undefined
    ? rejectField(`/${name}`, message("hotkey.not_understood"))
    : formatKeyCombination(parsed);
}

/** Writes the hotkeys of a change in one way, so that two equal ones are found. */
function withReadHotkeys<T extends SettingsChange>(change: T): T {
  const hotkeys = (["saveHotkey", "markHotkey"] as const).flatMap((name) => {
    const text = change[name];
    return typeof text === "string" ? [[name, readHotkey(name, text)]] : [];
  });
  return { ...change, ...Object.fromEntries(hotkeys) };
}

/** A person who names a window wants that window, and who removes the name does not. */
function impliedPicture({ window, picture }: SettingsChange, before: RecorderSettings): Partial<RecorderSettings> {
  if (window === undefined || picture !== undefined) return {};
  if (window !== null) return { picture: "window" };
  return before.picture === "window" ? { picture: "game" } : {};
}

function assertSensible(settings: RecorderSettings, longestPreSeconds: number): void {
  const { bufferSeconds, obsUrl, picture, window, saveHotkey, markHotkey } = settings;
  if (saveHotkey !== null && saveHotkey === markHotkey) rejectField("/markHotkey", message("hotkey.same"));
  if (bufferSeconds < longestPreSeconds) {
    rejectField("/bufferSeconds", message("field.at_least_pre_seconds", { seconds: longestPreSeconds }));
  }
  if (picture === "window" && (window === null || window.trim() === "")) {
    rejectField("/window", message("field.must_name_window"));
  }
  if (!URL.canParse(obsUrl)) rejectField("/obsUrl", message("field.must_name_port"));
}

export function createRecorderSettings({
  load,
  write,
  password,
  maxPreSeconds: longestPreSeconds,
  onChanged,
}: RecorderSettingsDeps): StoredRecorderSettings {
  let settings: RecorderSettings | undefined;
  let obsPasswordSet = false;
  const serialize = createSerialQueue();

  const change = async ({ obsPassword, ...given }: SettingsChange) => {
    if (settings === undefined) {
      throw new KitError("storage_unavailable", message("storage.not_readable"));
    }
    const before = settings;
    const read = withReadHotkeys(given);
    const members: Omit<SettingsChange, "obsPassword"> = { ...read, ...impliedPicture(read, before) };
    const changed = names.filter((name) => members[name] !== undefined && members[name] !== before[name]);
    const next = { ...before, ...Object.fromEntries(changed.map((name) => [name, members[name]])) } as RecorderSettings;
    if (changed.length > 0) assertSensible(next, longestPreSeconds());
    let hasChanged = false;
    try {
      if (obsPassword !== undefined) {
        await password.write(obsPassword);
        obsPasswordSet = obsPassword !== null;
        hasChanged = true;
      }
      if (changed.length > 0) {
        await write(...changed.map((name) => saveRecorderSetting(name, next[name])));
        settings = next;
        hasChanged = true;
      }
    } finally {
      // The password may be stored although the write of the settings failed.
      if (hasChanged) onChanged(obsPassword === undefined ? changed : []);
    }
  };
  return {
    async load() {
      const [stored, secret] = await Promise.all([load(), password.read()]);
      settings = { ...recorderDefaults, ...validSettings(stored) };
      obsPasswordSet = secret !== null;
    },
    current: () => settings ?? { ...recorderDefaults, when: "never" },
    hasObsPassword: () => obsPasswordSet,
    change: (members) => serialize(() => change(members)),
  };
}

export type PasswordFile = {
  /** Resolves to null if no password is set. Rejects with file system errors. */
  read(): Promise<string | null>;
  /** Null deletes the password. */
  write(password: string | null): Promise<void>;
};

export function passwordFileAt(path: string): PasswordFile {
  return {
    read: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    async write(password) {
      if (password === null) return rm(path, { force: true });
      const part = `${path}.part`;
      // A partial file that is left over may have another mode, which it would keep.
      await rm(part, { force: true });
      await writeFile(part, password, { mode: 0o600, flush: true, flag: "wx" });
      await renameWithRetry(part, path);
    },
  };
}
