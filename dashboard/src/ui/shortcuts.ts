// Shortcuts of a single key, and the switch that turns them off, for people who use dictation or similar tools.
import { useEffect, useRef, useState } from "react";
import { t } from "../language/language.ts";

export const shortcutHelp = () =>
  [
    { keys: ["↑", "↓"], says: t("Move between rows") },
    { keys: ["Enter"], says: t("Show the row's details") },
    { keys: ["Esc"], says: t("Close the details") },
    { keys: ["/"], says: t("Focus the filter") },
    { keys: ["p"], says: t("Pause, or show new events") },
    { keys: ["?"], says: t("Show this help") },
  ] as const;

const storageKey = "kit-shortcuts";

export function useShortcutSwitch(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => localStorage.getItem(storageKey) !== "off");
  const change = (next: boolean) => {
    localStorage.setItem(storageKey, next ? "on" : "off");
    setOn(next);
  };
  return [on, change];
}

const typing = "input, textarea, select, [contenteditable]";

export type ShortcutHandlers = Readonly<Record<string, () => void>>;

/** Calls the action of a pressed key, except in fields, dialogs and popovers. */
export function useShortcuts(on: boolean, actions: ShortcutHandlers): void {
  const newest = useRef(actions);
  useEffect(() => {
    newest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element;
      if (target.closest("dialog, [popover]") !== null) return;
      const single = event.key.length === 1;
      if (single && (!on || target.closest(typing) !== null)) return;
      const action = newest.current[event.key];
      if (action === undefined) return;
      if (single) event.preventDefault();
      action();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [on]);
}
