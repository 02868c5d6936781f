// The building blocks of the details: a titled section, and a fact in it.
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

/** A name and its value; values are text from outside, so they stand alone (`bdi`). */
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
