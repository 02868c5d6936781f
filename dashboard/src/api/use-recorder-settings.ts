// Keeps one setting at a time the moment it is changed, and knows at which field the answer belongs.
import { useState } from "react";
import { t } from "../language/language.ts";
import { type RecorderChange, useRecorderChange } from "./use-recorder.ts";

type Named = keyof RecorderChange;

export function useRecorderSettings() {
  const change = useRecorderChange();
  const [last, setLast] = useState<Named>();
  const [refused, setRefused] = useState<string>();
  const keep = (body: RecorderChange) => {
    setRefused(undefined);
    setLast(Object.keys(body)[0] as Named);
    change.mutate(body);
  };
  /** What was typed cannot even be sent. */
  const refuse = (name: Named, why: string) => {
    change.reset();
    setLast(name);
    setRefused(why);
  };
  const errorOf = (name: Named) => (last === name ? (refused ?? messageOf(change.error)) : undefined);
  return { keep, refuse, errorOf, kept: change.isSuccess && refused === undefined };
}

export type RecorderSettingsState = ReturnType<typeof useRecorderSettings>;

function messageOf(error: Error | null): string | undefined {
  if (error === null) return undefined;
  const fields = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  const [first] = fields as { message?: unknown }[];
  return typeof first?.message === "string" ? t("Not kept: {{why}}", { why: first.message }) : error.message;
}
