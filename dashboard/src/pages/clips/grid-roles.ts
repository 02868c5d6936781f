// The gallery is a grid to who listens. Its lines are placed one by one, which a table's own elements cannot be.

/** `rows` is undefined while more are to come than are known. */
export const asGrid = (label: string, rows: number | undefined) =>
  ({ role: "grid", "aria-label": label, "aria-multiselectable": true, "aria-rowcount": rows ?? -1 }) as const;

export const asRow = (index: number) => ({ role: "row", "aria-rowindex": index + 1 }) as const;

export const asHead = { role: "rowheader" } as const;
export const asCell = { role: "gridcell" } as const;
export const asCard = (selected: boolean) => ({ ...asCell, "aria-selected": selected }) as const;
