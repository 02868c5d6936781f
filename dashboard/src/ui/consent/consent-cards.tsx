// A web page asks to send events: who it is, what allowing means, and the choices.
import type { Origin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { type Decision, useDecisions, useOrigins } from "../../api/use-origins.ts";
import { Trans, t } from "../../language/language.ts";
import { Icon } from "../icon.tsx";
import { visibleText } from "../visible-text.ts";
import "./consent.css";

/** Each asks for attention; twenty at once would only be clicked away. */
const cardsAtOnce = 2;

export function ConsentCards() {
  const answer = useOrigins().data;
  const [all, setAll] = useState(false);
  const [held, setHeld] = useState<readonly Origin[]>();
  const waiting = answer?.origins.filter((origin) => origin.state === "pending") ?? [];
  const isDecided = ({ origin }: Origin) =>
    answer?.origins.some((one) => one.origin === origin && one.state !== "pending") ?? false;
  const left = held?.filter((origin) => !isDecided(origin)) ?? [];
  const pending = left.length > 0 ? left : waiting;
  if (answer === undefined || pending.length === 0) return null;
  const hold = () => setHeld((already) => already ?? waiting);
  const letGo = () => setHeld(undefined);
  const shown = all ? pending : pending.slice(0, cardsAtOnce);
  return (
    // While somebody points at them or is in them no card takes another one's place: a page chooses when it asks.
    <section
      className="consent"
      aria-label={t("Web pages that ask to send events")}
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || letGo()}
    >
      {shown.map((origin) => (
        <ConsentCard key={origin.origin} origin={origin} />
      ))}
      {pending.length > shown.length && (
        <Button className="consent-more" variant="ghost" onClick={() => setAll(true)}>
          {t("{{count}} more web pages ask", {
            count: pending.length - shown.length,
            defaultValue_one: "1 more web page asks",
          })}
        </Button>
      )}
      {answer.dropped > 0 && (
        <p className="consent-dropped">
          {t("{{count}} requests left this list undecided: too many waited, or an hour passed.", {
            count: answer.dropped,
            defaultValue_one: "1 request left this list undecided: too many waited, or an hour passed.",
          })}
        </p>
      )}
    </section>
  );
}

/** Pages without an address of their own cannot be told apart, so nothing may outlast the launcher for them. */
const isNameless = ({ origin }: Origin) => origin === "null" || origin.startsWith("file:");

function choicesFor(origin: Origin): { decision: Decision; says: string; strong: boolean }[] {
  const untilExit = { decision: "until-exit", says: t("Allow until Kit exits") } as const;
  const block = { decision: "blocked", says: t("Block"), strong: false } as const;
  if (origin.shared || isNameless(origin)) return [{ ...untilExit, strong: true }, block];
  const long = { decision: "30-days", says: t("Allow for 30 days"), strong: true } as const;
  return [long, { ...untilExit, strong: false }, block];
}

function ConsentCard({ origin }: { origin: Origin }) {
  const { decide } = useDecisions();
  return (
    <article className="consent-card" aria-label={t("Consent for {{origin}}", { origin: visibleText(origin.origin) })}>
      <div className="consent-says">
        <h2>
          <Icon name="globe" size={18} />
          <span>
            <Trans
              i18nKey="A web page wants to send events: <origin/>"
              components={{ origin: <bdi className="origin">{visibleText(origin.origin)}</bdi> }}
            />
          </span>
        </h2>
        <p>
          {t("It tried {{count}} times.", { count: origin.attempts, defaultValue_one: "It tried once." })}{" "}
          {t(
            "If you allow it, pages from this address can send recording triggers, error reports and social triggers. They can never read anything from Kit.",
          )}
        </p>
        {origin.shared && (
          <p className="consent-warning">
            <Icon name="warning" size={14} />{" "}
            {t("Many games are served from this address. Allowing it allows every one of them.")}
          </p>
        )}
        {isNameless(origin) && (
          <p className="consent-warning">
            <Icon name="warning" size={14} />{" "}
            {t("This page has no address of its own. Allowing it allows every page without one.")}
          </p>
        )}
        {decide.error && <p role="alert">{decide.error.message}</p>}
      </div>
      <div className="consent-choices">
        {choicesFor(origin).map(({ decision, says, strong }) => (
          <Button
            key={decision}
            variant={strong ? "solid" : "soft"}
            color={strong ? "iris" : "gray"}
            disabled={decide.isPending}
            onClick={() => decide.mutate({ origin: origin.origin, decision })}
          >
            {says}
          </Button>
        ))}
      </div>
    </article>
  );
}
