// The settings that apply to all posts.
import { type PostSettings, postSettingDefaults } from "@kit/contract";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { type PostRuleStore, savePostSetting } from "./rule-store.ts";

export type PostSettingChange = { readonly [Name in keyof PostSettings]?: PostSettings[Name] | undefined };

export type PostSettingsDeps = {
  readonly store: Pick<PostRuleStore, "settings">;
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
  const change = async (wanted: PostSettingChange): Promise<PostSettings> => {
    const statements = names.flatMap((name) => {
      const value = wanted[name];
      return value === undefined ? [] : [savePostSetting(name, value)];
    });
    if (statements.length > 0) {
      await write(...statements);
      onChanged();
    }
    return get();
  };
  return { get, change: (wanted: PostSettingChange) => serialize(() => change(wanted)) };
}
