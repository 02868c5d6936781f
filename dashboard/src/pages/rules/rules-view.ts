// The filters and the open event id of the Rules page, stored in the address so that a reload or a bookmark keeps them.
import { type EventKind, eventKinds } from "@kit/contract";
import { fragmentQuery } from "../../api/fragment-query.ts";

export type RulesView = {
  /** A game's prefix, or `unsorted` for events without a game. */
  readonly game?: string | undefined;
  readonly kind?: EventKind | undefined;
  /** Words that the id or its label must contain. */
  readonly text?: string | undefined;
  /** The event id that is open in the panel. */
  readonly open?: string | undefined;
};

/** Parses an address. Ignores unknown values. */
export function parseRulesView(fragment: string): RulesView {
  const query = fragmentQuery(fragment);
  const kind = eventKinds.find((known) => known !== "monitor" && known === query.get("kind"));
  const [game, text, open] = ["game", "text", "open"].map((name) => query.get(name));
  return { ...(game && { game }), ...(kind && { kind }), ...(text?.trim() && { text }), ...(open && { open }) };
}

/** Returns the view as an address, which `parseRulesView` can read. */
export function toRulesFragment({ game, kind, text, open }: RulesView): string {
  const given = Object.entries({ game, kind, text, open }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]);
  return query.size > 0 ? `#/rules?${query}` : "#/rules";
}

export const isRulesViewFiltered = ({ game, kind, text }: RulesView): boolean => Boolean(game ?? kind ?? text);
