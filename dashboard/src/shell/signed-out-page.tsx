// How to get in: shown to a browser the launcher does not know (yet, or any more).
import { Heading, Text } from "@radix-ui/themes";
import type { SessionState } from "../api/session.ts";
import { t } from "../language/language.ts";
import { CommandLine } from "../ui/command-line.tsx";
import mark from "../ui/mark.svg";

type Why = Extract<SessionState, { state: "closed" }>["why"];

function wordsFor(why: Why): { title: string; says: string } {
  const words: Record<Why, { title: string; says: string }> = {
    none: {
      title: t("Open the dashboard from a terminal"),
      says: t("What games send is shown only to you. A terminal on this computer gives this browser the key."),
    },
    ticket_refused: {
      title: t("That link was used or is too old"),
      says: t("A link opens the dashboard once, within a minute. Ask for a new one in a terminal on this computer."),
    },
    ended: {
      title: t("You are signed out"),
      says: t(
        "This session has ended. Nothing is lost: Kit goes on taking events. Open the dashboard again from a terminal.",
      ),
    },
    unreachable: {
      title: t("Kit does not answer"),
      says: t("The launcher stopped before it could let you in. Start it again; it opens the dashboard by itself."),
    },
  };
  return words[why];
}

export function SignedOutPage({ why }: { why: Why }) {
  const { title, says } = wordsFor(why);
  return (
    <main className="quiet-page">
      <div className="quiet-card">
        <img src={mark} width="56" height="56" alt="" />
        <Heading as="h1" size="6" weight="medium">
          {title}
        </Heading>
        <Text as="p" size="3" color="gray">
          {says}
        </Text>
        <CommandLine command={why === "unreachable" ? "npx kit start" : "npx kit open"} />
      </div>
    </main>
  );
}
