// Says how to sign in, for a browser without a valid session.
import mark from "./ui/mark.svg";
import "./ui/list-page.css";
import type { SessionState } from "./api/session.ts";
import { t } from "./language/language.ts";
import { CommandLine } from "./ui/copy-button.tsx";

type Why = Extract<SessionState, { state: "closed" }>["why"];

function textsFor(why: Why): { title: string; text: string } {
  const words: Record<Why, { title: string; text: string }> = {
    none: {
      title: t("Open the dashboard from a terminal"),
      text: t(
        "Only you can see what your games send. Sign this browser in with a command in a terminal on this computer.",
      ),
    },
    ticket_refused: {
      title: t("That link was already used or has expired"),
      text: t("A sign-in link works once and expires after a minute. Create a new one in a terminal on this computer."),
    },
    ended: {
      title: t("You are signed out"),
      text: t("This session has ended, but Kit keeps accepting events. Open the dashboard again from a terminal."),
    },
    unreachable: {
      title: t("Kit is not responding"),
      text: t("The launcher stopped before you were signed in. Start it again; it opens the dashboard by itself."),
    },
  };
  return words[why];
}

/** `invitation` is the encoded invitation of a studio that the address contains, if any. */
export function SignedOutPage({ why, invitation }: { why: Why; invitation?: string | undefined }) {
  const { title, text } = textsFor(why);
  const open =
    invitation === undefined || !/^[\w-]+$/u.test(invitation) ? "npx kit open" : `npx kit join ${invitation}`;
  return (
    <main className="page">
      <div className="empty">
        <img src={mark} width="56" height="56" alt="" />
        <h1>{title}</h1>
        <p>{text}</p>
        <CommandLine command={why === "unreachable" ? "npx kit start" : open} />
      </div>
    </main>
  );
}
