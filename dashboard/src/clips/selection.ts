// Which clips are selected, as mouse and keyboard add to it. Pure.

export type Selected = {
  readonly ids: ReadonlySet<string>;
  /** Where a range begins: the clip that was chosen last by itself. */
  readonly anchor: string | undefined;
};

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
