// How a fault gets in: one part of the reference binding is replaced by one that knows what was there.
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

/** The binding sends nothing while it is deaf. */
export function deafen(kit: Kit, isDeaf: () => boolean): void {
  change(kit, "post", (post) => (url, body) => {
    if (!isDeaf()) post(url, body);
  });
}
