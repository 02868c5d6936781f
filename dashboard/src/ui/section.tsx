// Building blocks of details: a titled section and a fact.
import type { ReactNode } from "react";

export function Section({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className="details-section">
      <header>
        <h3>{title}</h3>
        {end}
      </header>
      {children}
    </section>
  );
}

/** A name and its value. Values come from outside, so `bdi` isolates their text direction. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
