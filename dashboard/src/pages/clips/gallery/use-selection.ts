// The selected clips. A different filter or sort order clears the selection.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useState } from "react";

type Selected = {
  readonly ids: ReadonlySet<string>;
  /** Where the next range of selected clips begins: at the clip that was last selected on its own. */
  readonly anchor: string | undefined;
};

export const emptySelection: Selected = { ids: new Set(), anchor: undefined };

export function toggleSelection({ ids }: Selected, id: string): Selected {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds all clips from the anchor to this one. `order` contains the ids of the shown clips in order. */
export function extendSelection(selected: Selected, id: string, order: readonly string[]): Selected {
  const from = order.indexOf(selected.anchor ?? id);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return { ids: new Set([...selected.ids, id]), anchor: id };
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selected.ids, ...range]), anchor: selected.anchor ?? id };
}

export type Selection = {
  readonly ids: ReadonlySet<string>;
  readonly clips: readonly Clip[];
  readonly toggle: (id: string) => void;
  /** Adds all clips between the last selected clip and this one. */
  readonly reach: (id: string, order: readonly string[]) => void;
  readonly all: (ids: readonly string[]) => void;
  readonly clear: () => void;
};

export function useSelection(shown: readonly Clip[], of: string): Selection {
  const [made, setMade] = useState({ of, selected: emptySelection });
  const { ids } = made.of === of ? made.selected : emptySelection;
  const change = useCallback(
    (next: (now: Selected) => Selected) =>
      setMade((before) => ({ of, selected: next(before.of === of ? before.selected : emptySelection) })),
    [of],
  );
  const clips = useMemo(() => (ids.size === 0 ? [] : shown.filter(({ id }) => ids.has(id))), [shown, ids]);
  const toggle = useCallback((id: string) => change((now) => toggleSelection(now, id)), [change]);
  const reach = useCallback(
    (id: string, order: readonly string[]) => change((now) => extendSelection(now, id, order)),
    [change],
  );
  const all = useCallback(
    (every: readonly string[]) => change(() => ({ ids: new Set(every), anchor: every[0] })),
    [change],
  );
  const clear = useCallback(() => change(() => emptySelection), [change]);
  return useMemo(() => ({ ids, clips, toggle, reach, all, clear }), [ids, clips, toggle, reach, all, clear]);
}
