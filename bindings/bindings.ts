// The bindings in the order of their letters.
import type { Binding } from "./binding.ts";
import * as table from "./table.ts";

const all: readonly Binding[] = Object.values(table);

export const bindings = all.toSorted((one, other) => (one.letter < other.letter ? -1 : 1));
