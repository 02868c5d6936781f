// Parts of pages and details: sections with titles, and facts.
import { type MessageOrText, textOf } from "@kit/contract";
import "./details.css";
import { type ReactNode, useId } from "react";
import { t, translateMessage } from "../language/language.ts";
import { CopyButton } from "./copy-button.tsx";
import { visibleText } from "./visible-text.ts";

type Props = { title: string; end?: ReactNode; children: ReactNode };

/** A section with a title, in a panel of details or beside the main part of a page. */
export function Section({ title, end, children }: Props) {
  return (
    <section className="details-section">
      <header className="spread">
        <h3>{title}</h3>
        {end}
      </header>
      {children}
    </section>
  );
}

/** A section of a page. Screen readers list it among the page's sections. */
export function PageSection({ title, end, children }: Props) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <header className="cluster spread">
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
    </section>
  );
}

export const NoteList = ({ notes }: { notes: readonly MessageOrText[] }) => (
  <ul className="stack tight notes">
    {notes.map((note) => (
      <li key={textOf(note)}>
        <bdi>{visibleText(translateMessage(note))}</bdi>
      </li>
    ))}
  </ul>
);

/** Lists what Kit handled differently from what was asked. */
export function NotesSection({ notes }: { notes: readonly MessageOrText[] }) {
  if (notes.length === 0) return null;
  return (
    <Section title={t("Notes")}>
      <NoteList notes={notes} />
    </Section>
  );
}

/** A fact: its name and its value. Values come from outside, so `bdi` isolates their text direction. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

export const IdFact = ({ id }: { id: string }) => (
  <Fact name={t("ID")}>
    <code>{id}</code>
    <CopyButton text={id} label={t("Copy the ID")} />
  </Fact>
);
