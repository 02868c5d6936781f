// ARIA roles of the gallery's grid. Table elements have these roles by themselves, but their rows cannot be positioned
// one by one.

/** `rows`: the total number of rows; undefined while it is unknown. */
export const gridProps = (label: string, rows: number | undefined) =>
  ({ role: "grid", "aria-label": label, "aria-multiselectable": true, "aria-rowcount": rows ?? -1 }) as const;

export const rowProps = (index: number) => ({ role: "row", "aria-rowindex": index + 1 }) as const;

export const headingProps = { role: "rowheader" } as const;
export const cellProps = { role: "gridcell" } as const;
export const cardProps = (selected: boolean) => ({ ...cellProps, "aria-selected": selected }) as const;
