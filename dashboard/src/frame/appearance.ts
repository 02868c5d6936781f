// Light or dark: the system's choice until a person makes their own, which this browser remembers.
import { useState, useSyncExternalStore } from "react";

export const appearances = ["system", "light", "dark"] as const;
export type Appearance = (typeof appearances)[number];

const storageKey = "kit-appearance";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function onSystemChange(listener: () => void): () => void {
  systemIsDark.addEventListener("change", listener);
  return () => systemIsDark.removeEventListener("change", listener);
}

export function useAppearance(): [{ choice: Appearance; dark: boolean }, (choice: Appearance) => void] {
  const [choice, setChoice] = useState(
    () => appearances.find((known) => known === localStorage.getItem(storageKey)) ?? "system",
  );
  const dark = useSyncExternalStore(onSystemChange, () => systemIsDark.matches);
  const choose = (next: Appearance) => {
    localStorage.setItem(storageKey, next);
    setChoice(next);
  };
  return [{ choice, dark }, choose];
}

export const appearanceOf = ({ choice, dark }: { choice: Appearance; dark: boolean }): "light" | "dark" =>
  choice === "system" ? (dark ? "dark" : "light") : choice;
