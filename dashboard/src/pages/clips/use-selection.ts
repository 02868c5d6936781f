// Which of the clips that are shown are selected; ends with the list it was made in.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useState } from "react";

type Selected = {
  readonly ids: ReadonlySet<string>;
  /** Where a range begins: the clip that was chosen last by itself. */
  readonly anchor: string | undefined;
};

/** Which clips are selected, as mouse and keyboard add to it. Pure. */
export const nothingSelected: Selected = { ids: new Set(), anchor: undefined };

export function toggled({ ids }: Selected, id: string): Selected {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** All from the anchor to this one, in the order they are shown in; what was selected stays so. */
export function reached(selected: Selected, id: string, order: readonly string[]): Selected {
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
  /** All from the last one chosen to this one. */
  readonly reach: (id: string, order: readonly string[]) => void;
  readonly all: (ids: readonly string[]) => void;
  readonly clear: () => void;
};

export function useSelection(shown: readonly Clip[], of: string): Selection {
  const [made, setMade] = useState({ of, selected: nothingSelected });
  const { ids } = made.of === of ? made.selected : nothingSelected;
  const change = useCallback(
    (next: (now: Selected) => Selected) =>
      setMade((before) => ({ of, selected: next(before.of === of ? before.selected : nothingSelected) })),
    [of],
  );
  const clips = useMemo(() => (ids.size === 0 ? [] : shown.filter(({ id }) => ids.has(id))), [shown, ids]);
  const toggle = useCallback((id: string) => change((now) => toggled(now, id)), [change]);
  const reach = useCallback(
    (id: string, order: readonly string[]) => change((now) => reached(now, id, order)),
    [change],
  );
  const all = useCallback(
    (every: readonly string[]) => change(() => ({ ids: new Set(every), anchor: every[0] })),
    [change],
  );
  const clear = useCallback(() => change(() => nothingSelected), [change]);
  return useMemo(() => ({ ids, clips, toggle, reach, all, clear }), [ids, clips, toggle, reach, all, clear]);
}
