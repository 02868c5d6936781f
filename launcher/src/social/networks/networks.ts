// Finds networks by their kind. They are in the order of their positions.
import type { Network as NetworkKind } from "@kit/contract";
import type { Network } from "./network.ts";
import * as table from "./table.ts";

const inOrder: Network[] = Object.values(table).sort((one, other) => one.position - other.position);

export const networks = Object.fromEntries(inOrder.map((each) => [each.kind, each])) as Readonly<
  Record<NetworkKind, Network>
>;
