// A part of the Settings page, under its title; and a line that leads to where more can be set.
import type { ReactNode } from "react";
import { type PartName, partId, partTitle } from "./contents.ts";

type Props = { name: PartName; end?: ReactNode; children: ReactNode };

export function Part({ name, end, children }: Props) {
  const title = `${partId(name)}-title`;
  return (
    <section id={partId(name)} className="settings-part" aria-labelledby={title}>
      <div className="settings-head">
        <h2 id={title} tabIndex={-1}>
          {partTitle(name)}
        </h2>
        {end}
      </div>
      {children}
    </section>
  );
}
