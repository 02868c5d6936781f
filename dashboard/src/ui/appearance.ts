// Light or dark colours: those of the system, until a person chooses others. This browser remembers the choice.
import { useSyncExternalStore } from "react";

export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

const storageKey = "kit-appearance";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function onSystemChange(listener: () => void): () => void {
  systemIsDark.addEventListener("change", listener);
  return () => systemIsDark.removeEventListener("change", listener);
}

/** Name of the event that tells this tab of a new choice; other tabs get the browser's storage event. */
const chosen = "kit-appearance-chosen";

function onChoice(listener: () => void): () => void {
  for (const said of [chosen, "storage"]) window.addEventListener(said, listener);
  return () => {
    for (const said of [chosen, "storage"]) window.removeEventListener(said, listener);
  };
}

const storedChoice = (): Appearance => {
  const kept = localStorage.getItem(storageKey);
  return appearances.find((known) => known === kept) ?? "system";
};

function choose(next: Appearance): void {
  localStorage.setItem(storageKey, next);
  window.dispatchEvent(new Event(chosen));
}

/** Returns the chosen colours and a function that changes them, in every component and tab. */
export function useAppearance(): [{ choice: Appearance; dark: boolean }, (choice: Appearance) => void] {
  const choice = useSyncExternalStore(onChoice, storedChoice);
  const dark = useSyncExternalStore(onSystemChange, () => systemIsDark.matches);
  return [{ choice, dark }, choose];
}

export const effectiveAppearance = ({ choice, dark }: { choice: Appearance; dark: boolean }): "light" | "dark" =>
  choice === "system" ? (dark ? "dark" : "light") : choice;
