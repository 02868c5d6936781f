// Settings section: which web pages may send events.
import type { WebOrigin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useRef } from "react";
import { type ConsentDecision, useConsentActions, useOrigins } from "../../api/use-origins.ts";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatDay } from "../../ui/format.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { SettingsSection } from "./settings-section.tsx";

export function OriginsSection() {
  const { data, error } = useOrigins();
  const { decide, forget } = useConsentActions();
  const list = useRef<HTMLUListElement>(null);
  const trouble = decide.error ?? forget.error ?? (data ? null : error);
  return (
    <SettingsSection name="origins">
      <p className="quiet">
        {t(
          "Browser games may send events only from web addresses you allow or from a server on this computer, such as http://localhost. They can never read data from Kit.",
        )}
      </p>
      <ErrorText error={trouble} />
      {data?.origins.length === 0 && <p>{t("No web page has asked to send events.")}</p>}
      {data && data.origins.length > 0 && (
        <ul ref={list} className="lines" tabIndex={-1} aria-label={t("Web pages that asked to send events")}>
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
        <p className="quiet">
          {t(
            "{{count}} requests were removed without a decision, because too many were waiting or an hour had passed.",
            {
              count: data.dropped,
              defaultValue_one:
                "1 request was removed without a decision, because too many were waiting or an hour had passed.",
            },
          )}
        </p>
      )}
    </SettingsSection>
  );
}

function consentText({ state, expiresAt }: WebOrigin): string {
  if (state === "pending") return t("Waiting for your decision");
  if (state === "blocked") return t("Blocked");
  if (state === "until-exit" || expiresAt === null) return t("Allowed until Kit exits");
  return t("Allowed until {{date}}", { date: formatDay(expiresAt) });
}

/**
 * Whether consent can last 30 days. Pages without a web address, and addresses that many games share, are allowed only
 * until Kit exits.
 */
const canAllow30Days = ({ origin, shared }: WebOrigin) => !shared && origin !== "null" && !origin.startsWith("file:");

function decisionsFor(origin: WebOrigin): { decision: ConsentDecision; says: string; label: string }[] {
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
    ({ decision }) => decision !== origin.state && (decision !== "30-days" || canAllow30Days(origin)),
  );
}

type RowProps = {
  origin: WebOrigin;
  isBusy: boolean;
  onDecide: (decision: ConsentDecision) => void;
  onForget: () => void;
};

function OriginRow({ origin, isBusy, onDecide, onForget }: RowProps) {
  return (
    <li className="cluster spread">
      <span className="stack flush">
        <bdi className="code">{visibleText(origin.origin)}</bdi>
        <span className="small quiet">{consentText(origin)}</span>
        {origin.shared && (
          <span className="small quiet">
            {t("Many games share this web address. If you allow it, you allow all of them.")}
          </span>
        )}
      </span>
      <span className="cluster tight">
        {decisionsFor(origin).map(({ decision, says, label }) => (
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
