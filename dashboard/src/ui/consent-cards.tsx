// Asks for consent when a web page wants to send events.
import "./consent-cards.css";
import type { WebOrigin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { type ConsentDecision, useConsentActions, useOrigins } from "../api/use-origins.ts";
import { Trans, t } from "../language/language.ts";
import { Icon } from "./icon.tsx";
import { visibleText } from "./visible-text.ts";

/** Maximum cards shown at a time, because people dismiss a longer list without reading it. */
const cardsAtOnce = 2;

export function ConsentCards() {
  const answer = useOrigins().data;
  const [all, setAll] = useState(false);
  const [held, setHeld] = useState<readonly WebOrigin[]>();
  const waiting = answer?.origins.filter((origin) => origin.state === "pending") ?? [];
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (held === undefined) return;
    // No event says that the pointer left if a decision has just removed the card below it.
    const releaseOutside = ({ target }: Event) => {
      const isOn = (node: unknown) => node instanceof Node && (section.current?.contains(node) ?? false);
      if (!isOn(target) && !isOn(document.activeElement)) setHeld(undefined);
    };
    document.addEventListener("pointerover", releaseOutside);
    return () => document.removeEventListener("pointerover", releaseOutside);
  }, [held]);
  const isDecided = ({ origin }: WebOrigin) =>
    answer?.origins.some((one) => one.origin === origin && one.state !== "pending") ?? false;
  const left = held?.filter((origin) => !isDecided(origin)) ?? [];
  const pending = left.length > 0 ? left : waiting;
  if (answer === undefined || pending.length === 0) return null;
  const hold = () => setHeld((already) => already ?? waiting);
  const release = () => setHeld(undefined);
  const shown = all ? pending : pending.slice(0, cardsAtOnce);
  return (
    // The cards keep their places while the pointer or the focus is on them. Otherwise a web page could time its
    // request so that a click hits its card.
    <section
      ref={section}
      className="stack consent"
      aria-label={t("Web pages that ask to send events")}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || release()}
    >
      {shown.map((origin) => (
        <ConsentCard key={origin.origin} origin={origin} />
      ))}
      {pending.length > shown.length && (
        <Button variant="ghost" onClick={() => setAll(true)}>
          {t("{{count}} more web pages are waiting", {
            count: pending.length - shown.length,
            defaultValue_one: "1 more web page is waiting",
          })}
        </Button>
      )}
      {answer.dropped > 0 && (
        <p className="quiet">
          {t(
            "{{count}} requests were removed without a decision, because too many were waiting or an hour had passed.",
            {
              count: answer.dropped,
              defaultValue_one:
                "1 request was removed without a decision, because too many were waiting or an hour had passed.",
            },
          )}
        </p>
      )}
    </section>
  );
}

/**
 * Whether a page has no web address. Such pages cannot be told apart, so consent for them lasts only until Kit exits.
 */
const hasNoAddress = ({ origin }: WebOrigin) => origin === "null" || origin.startsWith("file:");

function choicesFor(origin: WebOrigin): { decision: ConsentDecision; says: string; strong: boolean }[] {
  const untilExit = { decision: "until-exit", says: t("Allow until Kit exits") } as const;
  const block = { decision: "blocked", says: t("Block"), strong: false } as const;
  if (origin.shared || hasNoAddress(origin)) return [{ ...untilExit, strong: true }, block];
  const long = { decision: "30-days", says: t("Allow for 30 days"), strong: true } as const;
  return [long, { ...untilExit, strong: false }, block];
}

function ConsentCard({ origin }: { origin: WebOrigin }) {
  const { decide } = useConsentActions();
  return (
    <article
      className="card consent-card"
      data-tone="offer"
      aria-label={t("Consent for {{origin}}", { origin: visibleText(origin.origin) })}
    >
      <div className="stack tight consent-says">
        <h2 className="with-icon">
          <Icon name="globe" size={18} />
          <span>
            <Trans
              i18nKey="A web page wants to send events: <origin/>"
              components={{ origin: <bdi className="code">{visibleText(origin.origin)}</bdi> }}
            />
          </span>
        </h2>
        <p className="quiet">
          {t("It tried {{count}} times.", { count: origin.attempts, defaultValue_one: "It tried once." })}{" "}
          {t(
            "If you allow this address, its pages can send recording triggers, error reports and social triggers. They can never read data from Kit.",
          )}
        </p>
        {origin.shared && (
          <p className="with-icon warn">
            <Icon name="warning" size={14} />
            <span>{t("Many games share this web address. If you allow it, you allow all of them.")}</span>
          </p>
        )}
        {hasNoAddress(origin) && (
          <p className="with-icon warn">
            <Icon name="warning" size={14} />
            <span>
              {t("This page has no web address. If you allow it, you allow every page without a web address.")}
            </span>
          </p>
        )}
        {decide.error && <p role="alert">{decide.error.message}</p>}
      </div>
      <div className="cluster tight">
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
