// Says how to sign in, for a browser without a valid session.
import mark from "./ui/mark.svg";
import "./ui/list-page.css";
import type { SessionState } from "./api/session.ts";
import { startCommand } from "./api/use-launcher.ts";
import { t } from "./language/language.ts";
import { CommandLine } from "./ui/copy-button.tsx";

type Why = Extract<SessionState, { state: "closed" }>["why"];

function textsFor(why: Why): { title: string; text: string } {
  const words: Record<Why, { title: string; text: string }> = {
    none: { title: t("Open Kit to sign in"), text: t("Only you can see what your games send.") },
    ticket_refused: {
      title: t("That link was already used or has expired"),
      text: t("A sign-in link works once and expires after a minute."),
    },
    ended: {
      title: t("You are signed out"),
      text: t("This session has ended, but Kit keeps accepting events."),
    },
    unreachable: {
      title: t("Kit is not responding"),
      text: t("The launcher stopped before you were signed in. Start it again; it opens the dashboard by itself."),
    },
  };
  return words[why];
}

/** `isInvited`: the address contains the invitation of a studio. */
export function SignedOutPage({ why, isInvited }: { why: Why; isInvited: boolean }) {
  const { title, text } = textsFor(why);
  return (
    <main className="page">
      <div className="empty">
        <img src={mark} width="56" height="56" alt="" />
        <h1>{title}</h1>
        <p>{text}</p>
        {why === "unreachable" ? <CommandLine command={startCommand()} /> : <WaysToSignIn isInvited={isInvited} />}
      </div>
    </main>
  );
}

/** First the way without a terminal, then the command. */
function WaysToSignIn({ isInvited }: { isInvited: boolean }) {
  return (
    <>
      <p>
        {t(
          "Open Kit from the Start menu or your menu of programs, or with its icon in the tray. The dashboard then opens signed in, in your default browser.",
        )}
      </p>
      {isInvited && <p>{t("The invitation then opens, too. If it does not, open its link again.")}</p>}
      <p>{t("Or run this command in a terminal on this computer:")}</p>
      <CommandLine command="kit open" />
    </>
  );
}
