// Replaces a member of the reference binding by a faulty one that can call the original.
import type { Kit, Members } from "../../reference/binding.ts";
import type { Game } from "../../reference/game.ts";

export type Fault = (kit: Kit, game: Game) => void;
export type Faults = Readonly<Record<string, Fault>>;

export function change<Name extends keyof Kit>(kit: Kit, name: Name, by: (was: Kit[Name]) => Kit[Name]): void {
  const was = kit[name];
  kit[name] = by((typeof was === "function" ? was.bind(kit) : was) as Kit[Name]);
}

export const changeBody =
  (by: (members: Members) => Members): Fault =>
  (kit) =>
    change(kit, "bodyOf", (bodyOf) => (members) => bodyOf(by(members)));

/** Makes the binding send nothing while `isDeaf` returns true. */
export function deafen(kit: Kit, isDeaf: () => boolean): void {
  change(kit, "post", (post) => (url, body) => {
    if (!isDeaf()) post(url, body);
  });
}
