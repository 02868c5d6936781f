// What was sent to a forwarding target: its last requests, word for word.
import type { SentRequest } from "@kit/contract";
import { useState } from "react";
import { useSentRequests } from "../../api/use-forwarding.ts";
import { locale, t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatDateTime } from "../../ui/format.ts";
import { LongText } from "../../ui/long-text.tsx";

export function SentRequests({ target }: { target: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, error } = useSentRequests(target, isOpen);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t("What was sent")}</summary>
      <div className="stack">
        <ErrorText error={!data && error} />
        {data?.requests.length === 0 && <p>{t("Nothing yet.")}</p>}
        {data?.requests.map((request) => (
          <Sent key={`${request.sentAt} ${request.chars}`} request={request} />
        ))}
      </div>
    </details>
  );
}

function Sent({ request: { sentAt, reports, accepted, body, chars } }: { request: SentRequest }) {
  const time = formatDateTime(sentAt);
  const size = chars.toLocaleString(locale());
  const facts = { time, reports: reports.toLocaleString(locale()) };
  return (
    <details>
      <summary>
        {accepted
          ? t("{{time}}, reports: {{reports}}", facts)
          : t("{{time}}, reports: {{reports}}, refused by the server", facts)}
      </summary>
      <LongText text={readable(body)} label={t("Sent at {{time}}", { time })} />
      {body.length < chars && <p className="quiet">{t("The beginning of {{size}} characters.", { size })}</p>}
    </details>
  );
}

/** Indents lines that are whole JSON. */
const readable = (body: string): string =>
  body
    .split("\n")
    .map((line) => {
      try {
        return JSON.stringify(JSON.parse(line), null, 2);
      } catch {
        return line;
      }
    })
    .join("\n");
