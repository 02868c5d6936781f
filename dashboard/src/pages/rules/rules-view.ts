// What the Rules page shows, as it stands in the address: a reload or a bookmark keeps it. Pure.
import { type EventKind, eventKinds } from "@kit/contract";

export type RulesView = {
  /** A game, or `unsorted`. */
  readonly game?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Words an id or its label must contain. */
  readonly text?: string | undefined;
  /** The event id that is open beside the list. */
  readonly open?: string | undefined;
};

/** Reads a view from an address's fragment. What it does not know it leaves out. */
export function rulesViewIn(fragment: string): RulesView {
  const query = new URLSearchParams(fragment.split("?", 2)[1] ?? "");
  const kind = eventKinds.find((known) => known !== "monitor" && known === query.get("kind"));
  const [game, text, open] = ["game", "text", "open"].map((name) => query.get(name));
  return { ...(game && { game }), ...(kind && { kind }), ...(text?.trim() && { text }), ...(open && { open }) };
}

/** The fragment `rulesViewIn` reads back. */
export function fragmentOf({ game, kind, text, open }: RulesView): string {
  const given = Object.entries({ game, kind, text, open }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size > 0 ? `#/rules?${query}` : "#/rules";
}

export const isNarrowed = ({ game, kind, text }: RulesView): boolean => Boolean(game ?? kind ?? text);
