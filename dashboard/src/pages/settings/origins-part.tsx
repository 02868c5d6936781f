// Which web pages may send events: allowed, blocked, or asked again.
import type { Origin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useRef } from "react";
import { type Decision, useDecisions, useOrigins } from "../../api/use-origins.ts";
import { locale, t } from "../../language/language.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { Part } from "./part.tsx";

export function OriginsPart() {
  const { data, error } = useOrigins();
  const { decide, forget } = useDecisions();
  const list = useRef<HTMLUListElement>(null);
  const trouble = decide.error ?? forget.error ?? (data ? null : error);
  return (
    <Part name="origins">
      <p className="settings-quiet">
        {t(
          "Games in a browser may send events only from addresses you allow, or from a server on this computer, such as http://localhost. They can never read anything from Kit.",
        )}
      </p>
      {trouble && (
        <p className="details-warning" role="alert">
          {visibleText(trouble.message)}
        </p>
      )}
      {data?.origins.length === 0 && <p>{t("No web page asked.")}</p>}
      {data && data.origins.length > 0 && (
        <ul ref={list} className="settings-list" tabIndex={-1} aria-label={t("Web pages that asked")}>
          {data.origins.map((origin) => (
            <OriginRow
              key={origin.origin}
              origin={origin}
              isBusy={decide.isPending || forget.isPending}
              onDecide={(decision) => decide.mutate({ origin: origin.origin, decision })}
              onForget={() => forget.mutate(origin.origin, { onSuccess: () => list.current?.focus() })}
            />
          ))}
        </ul>
      )}
      {data && data.dropped > 0 && (
        <p className="settings-quiet">
          {t("{{count}} requests left this list undecided: too many waited, or an hour passed.", {
            count: data.dropped,
            defaultValue_one: "1 request left this list undecided: too many waited, or an hour passed.",
          })}
        </p>
      )}
    </Part>
  );
}

function stateWord({ state, expiresAt }: Origin): string {
  if (state === "pending") return t("Waits for your decision");
  if (state === "blocked") return t("Blocked");
  if (state === "until-exit" || expiresAt === null) return t("Allowed until Kit exits");
  const date = new Date(expiresAt).toLocaleDateString(locale(), { dateStyle: "medium" });
  return t("Allowed until {{date}}", { date });
}

/** Pages without an address of their own, and addresses of many games, are allowed for this run at most. */
const isLongAllowed = ({ origin, shared }: Origin) => !shared && origin !== "null" && !origin.startsWith("file:");

function choicesOf(origin: Origin): { decision: Decision; says: string; label: string }[] {
  const name = visibleText(origin.origin);
  const long = { says: t("Allow for 30 days"), label: t("Allow {{origin}} for 30 days", { origin: name }) };
  const exit = { says: t("Allow until Kit exits"), label: t("Allow {{origin}} until Kit exits", { origin: name }) };
  const block = { says: t("Block"), label: t("Block {{origin}}", { origin: name }) };
  const choices = [
    { decision: "30-days", ...long },
    { decision: "until-exit", ...exit },
    { decision: "blocked", ...block },
  ] as const;
  return choices.filter(
    ({ decision }) => decision !== origin.state && (decision !== "30-days" || isLongAllowed(origin)),
  );
}

type RowProps = { origin: Origin; isBusy: boolean; onDecide: (decision: Decision) => void; onForget: () => void };

function OriginRow({ origin, isBusy, onDecide, onForget }: RowProps) {
  return (
    <li>
      <span className="settings-what">
        <bdi className="settings-code">{visibleText(origin.origin)}</bdi>
        <span>{stateWord(origin)}</span>
        {origin.shared && <span>{t("Many games are served from this address: allowing it allows all of them.")}</span>}
      </span>
      <span className="settings-buttons">
        {choicesOf(origin).map(({ decision, says, label }) => (
          <Button
            key={decision}
            size="1"
            variant="soft"
            color={decision === "blocked" ? "ruby" : "iris"}
            aria-label={label}
            disabled={isBusy}
            onClick={() => onDecide(decision)}
          >
            {says}
          </Button>
        ))}
        {origin.state !== "pending" && (
          <Button
            size="1"
            variant="soft"
            color="gray"
            aria-label={t("Ask again for {{origin}}", { origin: visibleText(origin.origin) })}
            disabled={isBusy}
            onClick={onForget}
          >
            {t("Ask again")}
          </Button>
        )}
      </span>
    </li>
  );
}
