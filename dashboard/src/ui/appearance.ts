// Light or dark: the system's choice until a person makes their own, which this browser remembers.
import { useSyncExternalStore } from "react";

export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

const storageKey = "kit-appearance";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function onSystemChange(listener: () => void): () => void {
  systemIsDark.addEventListener("change", listener);
  return () => systemIsDark.removeEventListener("change", listener);
}

/** Said by this tab of itself; of other tabs the browser says it. */
const chosen = "kit-appearance-chosen";

function onChoice(listener: () => void): () => void {
  for (const said of [chosen, "storage"]) window.addEventListener(said, listener);
  return () => {
    for (const said of [chosen, "storage"]) window.removeEventListener(said, listener);
  };
}

const choiceNow = (): Appearance => {
  const kept = localStorage.getItem(storageKey);
  return appearances.find((known) => known === kept) ?? "system";
};

function choose(next: Appearance): void {
  localStorage.setItem(storageKey, next);
  window.dispatchEvent(new Event(chosen));
}

/** The same everywhere on the page, and in every tab. */
export function useAppearance(): [{ choice: Appearance; dark: boolean }, (choice: Appearance) => void] {
  const choice = useSyncExternalStore(onChoice, choiceNow);
  const dark = useSyncExternalStore(onSystemChange, () => systemIsDark.matches);
  return [{ choice, dark }, choose];
}

export const appearanceOf = ({ choice, dark }: { choice: Appearance; dark: boolean }): "light" | "dark" =>
  choice === "system" ? (dark ? "dark" : "light") : choice;
