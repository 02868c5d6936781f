// What a rule, saved or not, would have made of past events: a drawing, counts and sentences.
import { type RulePreview as PreviewData, previewRecordingRule, type RecordingRule } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { useClient } from "../../../api/session.ts";
import { t, translateMessage } from "../../../language/language.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { useNow } from "../../../ui/use-now.ts";
import { visibleText } from "../../../ui/visible-text.ts";
import { previewClipText, previewMomentText } from "../rule-text.ts";
import type { RecordingChange } from "./rule-form.ts";
import { previewStrip, rulePreviewItems } from "./rule-shapes.ts";

const debounceMs = 300;
const previewRefetchMs = 10_000;

/** Returns the value once it has stayed the same for a moment. */
function useDebounced<Value>(value: Value, key: string): Value {
  const [settled, setSettled] = useState({ value, key });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ value, key }), debounceMs);
    return () => clearTimeout(timer);
  }, [value, key]);
  return settled.value;
}

/** Fetches what a rule would have made of past events. While the rule is invalid (undefined), the last answer stays. */
function useRulePreview(eventId: string, rule: RecordingChange | undefined) {
  const client = useClient();
  const key = JSON.stringify(rule);
  const [shown, setShown] = useState(rule);
  const settled = useDebounced(rule, key);
  useEffect(() => {
    if (settled !== undefined) setShown((now) => (JSON.stringify(now) === JSON.stringify(settled) ? now : settled));
  }, [settled]);
  const query = useQuery({
    queryKey: ["recorder", "preview", eventId, shown],
    queryFn: () => client.call(previewRecordingRule, { body: { eventId, ...shown } }),
    enabled: shown !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: previewRefetchMs,
  });
  return { ...query, isPending: JSON.stringify(shown) !== key || query.isPlaceholderData };
}

/** Only this many results, the newest ones, are listed one by one. */
const listedMax = 6;

type Props = { eventId: RecordingRule["eventId"]; rule: Required<RecordingChange> | undefined };

export function RulePreview({ eventId, rule }: Props) {
  const title = useId();
  const { data, error, isPending } = useRulePreview(eventId, rule);
  return (
    <section className="card rule-preview" aria-labelledby={title} aria-busy={isPending} data-waits={isPending}>
      <h3 id={title}>{t("What this rule would have made")}</h3>
      <ErrorText error={error} />
      {!error && data === undefined && <p className="setting-hint small quiet">{t("Checking past events…")}</p>}
      {!error && data && <Preview preview={data} />}
    </section>
  );
}

function Preview({ preview }: { preview: PreviewData }) {
  const nowMs = useNow();
  const items = rulePreviewItems(preview);
  if (preview.moments.length === 0)
    return (
      <p className="setting-hint small quiet">
        {t("Nothing yet: no game has sent this event id since Kit began to store events.")}
      </p>
    );
  return (
    <>
      <Strip preview={preview} />
      <Counts preview={preview} />
      <ul className="stack flush small">
        {items.slice(0, listedMax).map((each) => (
          <li key={each.type === "clip" ? `clip ${each.at}` : each.moment.id}>
            {each.type === "clip" ? previewClipText(each.clip, nowMs) : previewMomentText(each.moment, nowMs)}
            {each.type === "moment" && each.moment.reason !== null && (
              <span className="setting-hint small quiet"> {visibleText(translateMessage(each.moment.reason))}</span>
            )}
          </li>
        ))}
      </ul>
      {items.length > listedMax && (
        <p className="setting-hint small quiet">
          {t("And {{count, number}} earlier ones.", {
            count: items.length - listedMax,
            defaultValue_one: "And {{count, number}} earlier ones.",
          })}
        </p>
      )}
    </>
  );
}

/** Draws the clips. Hidden from screen readers, because the sentences below say the same. */
function Strip({ preview }: { preview: PreviewData }) {
  const clips = previewStrip(preview);
  if (clips.length === 0) return null;
  return (
    <svg className="preview-strip" width="100%" height="26" aria-hidden="true" focusable="false">
      {clips.map(({ from, to, moments }) => (
        <g key={from}>
          <rect x={`${from}%`} width={`${to - from}%`} y="3" height="20" rx="4" />
          {moments.map((at) => (
            <line key={at} x1={`${at}%`} x2={`${at}%`} y1="3" y2="23" />
          ))}
        </g>
      ))}
    </svg>
  );
}

function Counts({ preview: { clips, moments } }: { preview: PreviewData }) {
  const seconds = Math.round(clips.reduce((sum, clip) => sum + clip.seconds, 0));
  const of = (became: "screenshot" | "marker" | "nothing") => moments.filter((one) => one.became === became).length;
  const shots = of("screenshot");
  const markers = of("marker");
  const nothing = of("nothing");
  const counts = [
    clips.length > 0 &&
      t("{{count, number}} clips, {{seconds}} s in total", {
        count: clips.length,
        seconds: formatNumber(seconds),
        defaultValue_one: "{{count, number}} clip of {{seconds}} s",
      }),
    shots > 0 && t("{{count, number}} screenshots", { count: shots, defaultValue_one: "{{count, number}} screenshot" }),
    markers > 0 && t("{{count, number}} markers", { count: markers, defaultValue_one: "{{count, number}} marker" }),
    nothing > 0 &&
      t("{{count, number}} moments without a recording", {
        count: nothing,
        defaultValue_one: "{{count, number}} moment without a recording",
      }),
  ];
  return (
    <p className="cluster tight small" role="status">
      {counts.map(
        (says) =>
          says && (
            <Badge key={says} color="gray" variant="soft">
              {says}
            </Badge>
          ),
      )}
      <span>
        {t("from the newest {{count, number}} moments", {
          count: moments.length,
          defaultValue_one: "from the only moment so far",
        })}
      </span>
    </p>
  );
}
