// What holds for all posts, as a person set it.
import { type PostSettings, postSettingDefaults } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { type RuleStore, settingSaved } from "./rule-store.ts";

export type SettingChange = { readonly [Name in keyof PostSettings]?: PostSettings[Name] | undefined };

export type PostSettingsNeeds = {
  readonly store: Pick<RuleStore, "settings">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly onChanged: () => void;
};

export type StoredPostSettings = ReturnType<typeof createPostSettings>;

const names = Object.keys(postSettingDefaults) as readonly (keyof PostSettings)[];

export function createPostSettings({ store, write, serialize, onChanged }: PostSettingsNeeds) {
  const get = async (): Promise<PostSettings> => {
    const kept = await store.settings();
    const set = names.flatMap((name) => {
      const value = kept.get(name);
      return value === undefined ? [] : [[name, Number(value)] as const];
    });
    return { ...postSettingDefaults, ...Object.fromEntries(set) };
  };
  const change = async (wanted: SettingChange): Promise<PostSettings> => {
    const statements = names.flatMap((name) => {
      const value = wanted[name];
      return value === undefined ? [] : [settingSaved(name, value)];
    });
    if (statements.length > 0) {
      await write(...statements);
      onChanged();
    }
    return get();
  };
  return { get, change: (wanted: SettingChange) => serialize(() => change(wanted)) };
}
