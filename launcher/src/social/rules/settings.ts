// The settings that apply to all posts.
import { type PostSettings, postSettingDefaults } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import { type RuleStore, saveSetting } from "./rule-store.ts";

export type SettingChange = { readonly [Name in keyof PostSettings]?: PostSettings[Name] | undefined };

export type PostSettingsDeps = {
  readonly store: Pick<RuleStore, "settings">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly onChanged: () => void;
};

export type StoredPostSettings = ReturnType<typeof createPostSettings>;

const names = Object.keys(postSettingDefaults) as readonly (keyof PostSettings)[];

export function createPostSettings({ store, write, serialize, onChanged }: PostSettingsDeps) {
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
      return value === undefined ? [] : [saveSetting(name, value)];
    });
    if (statements.length > 0) {
      await write(...statements);
      onChanged();
    }
    return get();
  };
  return { get, change: (wanted: SettingChange) => serialize(() => change(wanted)) };
}
