// A titled section of the issue page.
import { type ReactNode, useId } from "react";

type Props = { title: string; end?: ReactNode; children: ReactNode };

export function PageSection({ title, end, children }: Props) {
  const id = useId();
  return (
    <section className="issue-section" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}
