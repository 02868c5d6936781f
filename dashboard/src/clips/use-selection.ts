// Which of the clips that are shown are selected; ends with the list it was made in.
import type { Clip } from "@kit/contract";
import { useCallback, useMemo, useState } from "react";
import { nothingSelected, reached, type Selected, toggled } from "./selection.ts";

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
