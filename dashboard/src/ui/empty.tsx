// What a page shows instead of an empty list, and what it shows until the first event arrives.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useId } from "react";
import { t } from "../language/language.ts";
import { CommandLine } from "./copy-button.tsx";
import mark from "./mark.svg";

/** `isNew`: the list has never had an entry. Otherwise it has entries, but none of them matches the filters. */
type Props = { title: string; isNew?: boolean; children: ReactNode };

export function EmptyState({ title, isNew = false, children }: Props) {
  const id = useId();
  return (
    <section className="empty" aria-labelledby={id}>
      {isNew && <img src={mark} width="56" height="56" alt="" />}
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

type NoMatchesProps = { title: string; hint: string; clearLabel: string; onClear: () => void };

/** Says that no entry matches the filters, with a button that clears them. */
export function NoMatches({ title, hint, clearLabel, onClear }: NoMatchesProps) {
  return (
    <EmptyState title={title}>
      <p>{hint}</p>
      <Button variant="soft" onClick={onClear}>
        {clearLabel}
      </Button>
    </EmptyState>
  );
}

export const waitingForFirstEvent = (): string => t("Waiting for your first event");

/** A command with which a person without a game can send an event. */
export function SendFromTerminal() {
  return (
    <>
      <p>{t("No game yet? Send an event from a terminal:")}</p>
      <CommandLine command="kit fire recording mygame_boss_defeated" />
    </>
  );
}
