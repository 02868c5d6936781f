// The history of a forwarding target: what a person agreed to, the switches that they changed later, and the last requests that were sent,
// word for word.

import { type ForwardSwitch, type ForwardTarget, forwardSwitches, type SentRequest } from "@kit/contract";
import { useState } from "react";
import { useSentRequests } from "../../api/use-forwarding.ts";
import { locale, t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatDateAndMinute, formatDateTime, formatDay } from "../../ui/format.ts";
import { LongText } from "../../ui/long-text.tsx";
import { Fact } from "../../ui/section.tsx";
import { visibleLine } from "../../ui/visible-text.ts";

/** The name of a switch. */
export function switchText(name: ForwardSwitch): string {
  switch (name) {
    case "reports":
      return t("Error reports");
    case "earlierEvents":
      return t("Events before an error");
    case "installation":
      return t("A random id of this computer");
    case "videos":
      return t("Videos of errors");
  }
}

type Switches = NonNullable<ForwardTarget["consent"]>["switches"];

function SwitchesText({ switches }: { switches: Switches }) {
  const names = (on: boolean) =>
    forwardSwitches
      .filter((name) => switches[name] === on)
      .map(switchText)
      .join(", ");
  const on = names(true);
  const off = names(false);
  return (
    <>
      {on !== "" && t("On: {{names}}.", { names: on })} {off !== "" && t("Off: {{names}}.", { names: off })}
    </>
  );
}

export function ConsentFacts({ consent }: { consent: ForwardTarget["consent"] }) {
  if (consent === null) return null;
  const { studio, decidedAt, switches } = consent;
  return (
    <>
      <Fact name={t("Invited by")}>
        {t("{{studio}}, agreed on {{date}}", { studio: visibleLine(studio, 80), date: formatDay(decidedAt) })}
      </Fact>
      <Fact name={t("Agreed to")}>
        <SwitchesText switches={switches} />
      </Fact>
    </>
  );
}

export function Decisions({ decisions }: Pick<ForwardTarget, "decisions">) {
  if (decisions.length === 0) return null;
  return (
    <details>
      <summary>{t("What you changed")}</summary>
      <ul className="stack tight">
        {decisions.map(({ at, switch: name, on }) => {
          const changed = { time: formatDateAndMinute(at), name: switchText(name) };
          return (
            <li key={`${at} ${name}`}>
              {on ? t("{{time}}: {{name}} on", changed) : t("{{time}}: {{name}} off", changed)}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

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
          : t("{{time}}, reports: {{reports}}, not accepted", facts)}
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
