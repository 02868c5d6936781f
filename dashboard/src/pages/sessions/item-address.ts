// Where what happened leads to: an error to its issue, a trigger to its post, anything else to its receipt; a clip to the player.
import { clipsAddress, issuesAddress, postOfEventAddress, rowAddress } from "../../ui/address.ts";
import type { Item } from "../../ui/sessions/session-items.ts";

type Led = Pick<Item, "entry"> & { readonly clip?: Item["clip"] };

export function addressOfItem({ entry, clip }: Led): string {
  if (entry === undefined) return clipsAddress(clip?.id);
  if (entry.issue !== null) return issuesAddress(entry.issue, `${new URLSearchParams({ event: entry.id })}`);
  if (entry.post !== null) return postOfEventAddress(entry.id);
  return rowAddress(entry.id);
}
