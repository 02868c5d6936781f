// The web origins that a person allowed or blocked, each with a button to ask again.
import type { WebOrigin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useConsentActions, useOrigins } from "../../api/use-origins.ts";
import { locale, t } from "../../language/language.ts";
import { visibleText } from "../../ui/visible-text.ts";

function consentText({ state, expiresAt }: WebOrigin): string {
  if (state === "blocked") return t("Blocked");
  if (state === "until-exit") return t("Allowed until Kit exits");
  return expiresAt === null
    ? t("Allowed")
    : t("Allowed until {{date}}", { date: new Date(expiresAt).toLocaleDateString(locale()) });
}

export function DecidedOrigins() {
  const decided = useOrigins().data?.origins.filter((origin) => origin.state !== "pending") ?? [];
  const { forget } = useConsentActions();
  if (decided.length === 0) return null;
  return (
    <details className="decided">
      <summary>{t("Allowed and blocked web pages ({{count}})", { count: decided.length })}</summary>
      <ul className="lines">
        {decided.map((origin) => (
          <li key={origin.origin} className="cluster">
            <bdi className="code">{visibleText(origin.origin)}</bdi>
            <span>{consentText(origin)}</span>
            <Button
              size="1"
              variant="soft"
              color="gray"
              aria-label={t("Ask again for {{origin}}", { origin: visibleText(origin.origin) })}
              disabled={forget.isPending}
              onClick={() => forget.mutate(origin.origin)}
            >
              {t("Ask again")}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
