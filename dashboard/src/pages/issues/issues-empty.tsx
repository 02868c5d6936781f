// Where the list has nothing to show: what that means, and what to do about it.
import { Button, Heading, Text } from "@radix-ui/themes";
import type { ReactNode } from "react";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { type IssueTab, type IssueView, isNarrowed } from "../../ui/issues/issue-view.ts";
import { fireCommand } from "../../ui/issues/issue-words.ts";
import mark from "../../ui/mark.svg";
import { useAnyIssue } from "./use-issues.ts";

type Nothing = { readonly title: string; readonly says: string };

const nothingUnder: Record<Exclude<IssueTab, "open">, Nothing> = {
  resolved: {
    title: t("Nothing is resolved yet"),
    says: t("What you resolve lies here, and comes back by itself when it happens again."),
  },
  muted: { title: t("Nothing is muted"), says: t("What you mute is counted here without a word, until it wakes.") },
  bin: { title: t("The bin is empty"), says: t("What you delete lies here for 30 days, and is still counted.") },
};

const allClear: Nothing = { title: t("Nothing is open"), says: t("All that went wrong is resolved or muted.") };
const noMatch: Nothing = {
  title: t("No issue matches these filters"),
  says: t("What arrives and fits appears here by itself."),
};

function Empty({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="empty" aria-labelledby={id}>
      <Heading as="h2" size="4" weight="medium" id={id}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

export function NoIssues({ view, onClear }: { view: IssueView; onClear: () => void }) {
  const plain = view.tab === "open" && !isNarrowed(view);
  const any = useAnyIssue(plain);
  if (plain && any.data === undefined) return null;
  if (plain && any.data === false) return <NoErrors />;
  const { title, says } = isNarrowed(view) ? noMatch : view.tab === "open" ? allClear : nothingUnder[view.tab];
  return (
    <Empty id="no-issues" title={title}>
      <Text as="p" color="gray">
        {says}
      </Text>
      {!plain && (
        <Button variant="soft" onClick={onClear}>
          {t("Show what is open")}
        </Button>
      )}
    </Empty>
  );
}

function NoErrors() {
  return (
    <section className="empty" aria-labelledby="no-errors">
      <img src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="no-errors">
        {t("No errors yet")}
      </Heading>
      <Text as="p" color="gray">
        {t(
          "When a game reports an error, it is here within a second: put together with its like, counted, with its stack and what happened before.",
        )}
      </Text>
      <Button asChild size="3">
        <a href={connectAddress()}>{t("Connect a game")}</a>
      </Button>
      <Text as="p" color="gray">
        {t("Or report one yourself, from a terminal:")}
      </Text>
      <CommandLine command={fireCommand} />
    </section>
  );
}
