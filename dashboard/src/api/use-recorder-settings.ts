// Saves each recorder setting as soon as it changes, and shows an error at the field that caused it.
import { useState } from "react";
import { t } from "../language/language.ts";
import { type RecorderChange, useRecorderChange } from "./use-recorder.ts";

type SettingName = keyof RecorderChange;

export function useRecorderSettingsForm() {
  const change = useRecorderChange();
  const [last, setLast] = useState<SettingName>();
  const [refused, setRefused] = useState<string>();
  const save = (body: RecorderChange) => {
    setRefused(undefined);
    setLast(Object.keys(body)[0] as SettingName);
    change.mutate(body);
  };
  /** Shows an error for input that is invalid, so that nothing is sent to the launcher. */
  const reject = (name: SettingName, why: string) => {
    change.reset();
    setLast(name);
    setRefused(why);
  };
  const errorFor = (name: SettingName) => (last === name ? (refused ?? errorMessage(change.error)) : undefined);
  return { save, reject, errorFor, isSaved: change.isSuccess && refused === undefined };
}

export type RecorderSettingsForm = ReturnType<typeof useRecorderSettingsForm>;

function errorMessage(error: Error | null): string | undefined {
  if (error === null) return undefined;
  const fields = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  const [first] = fields as { message?: unknown }[];
  return typeof first?.message === "string" ? t("Not saved: {{why}}", { why: first.message }) : error.message;
}
