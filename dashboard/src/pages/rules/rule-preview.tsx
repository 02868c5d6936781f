// What a rule, kept or not, would have made of what already came: a strip, counts and sentences.
import type { RulePreview as Preview, RecordingRule } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { useId } from "react";
import { t, translateMessage } from "../../language/language.ts";
import { formatNumber } from "../../ui/recorder/recorder-words.ts";
import { useNow } from "../../ui/use-now.ts";
import { visibleText } from "../../ui/visible-text.ts";
import type { RecordingChange } from "./rule-form.ts";
import { madeIn, stripOf } from "./shapes.ts";
import { useRulePreview } from "./use-event-rows.ts";
import { previewClipWord, previewMomentWord } from "./words.ts";

/** The newest of what was made are told one by one. */
const toldMax = 6;

type Props = { eventId: RecordingRule["eventId"]; rule: Required<RecordingChange> | undefined };

export function RulePreview({ eventId, rule }: Props) {
  const title = useId();
  const { data, error, waits } = useRulePreview(eventId, rule);
  return (
    <section className="rule-preview" aria-labelledby={title} aria-busy={waits} data-waits={waits}>
      <h3 id={title}>{t("It would have made")}</h3>
      {error && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {!error && data === undefined && <p className="setting-hint">{t("Looking through what came…")}</p>}
      {!error && data && <Made preview={data} />}
    </section>
  );
}

function Made({ preview }: { preview: Preview }) {
  const nowMs = useNow();
  const made = madeIn(preview);
  if (preview.moments.length === 0)
    return <p className="setting-hint">{t("Nothing yet: it has not come since the journal began.")}</p>;
  return (
    <>
      <Strip preview={preview} />
      <Counts preview={preview} />
      <ul className="preview-made">
        {made.slice(0, toldMax).map((each) => (
          <li key={each.type === "clip" ? `clip ${each.at}` : each.moment.id}>
            {each.type === "clip" ? previewClipWord(each.clip, nowMs) : previewMomentWord(each.moment, nowMs)}
            {each.type === "moment" && each.moment.reason !== null && (
              <span className="setting-hint"> {visibleText(translateMessage(each.moment.reason))}</span>
            )}
          </li>
        ))}
      </ul>
      {made.length > toldMax && (
        <p className="setting-hint">
          {t("And {{count, number}} earlier.", {
            count: made.length - toldMax,
            defaultValue_one: "And {{count, number}} earlier.",
          })}
        </p>
      )}
    </>
  );
}

/** The sentences say the same to who does not see it. */
function Strip({ preview }: { preview: Preview }) {
  const clips = stripOf(preview);
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

function Counts({ preview: { clips, moments } }: { preview: Preview }) {
  const seconds = Math.round(clips.reduce((sum, clip) => sum + clip.seconds, 0));
  const of = (became: "screenshot" | "marker" | "nothing") => moments.filter((one) => one.became === became).length;
  const shots = of("screenshot");
  const markers = of("marker");
  const nothing = of("nothing");
  const counts = [
    clips.length > 0 &&
      t("{{count, number}} clips, {{seconds}} s in all", {
        count: clips.length,
        seconds: formatNumber(seconds),
        defaultValue_one: "{{count, number}} clip of {{seconds}} s",
      }),
    shots > 0 && t("{{count, number}} screenshots", { count: shots, defaultValue_one: "{{count, number}} screenshot" }),
    markers > 0 && t("{{count, number}} markers", { count: markers, defaultValue_one: "{{count, number}} marker" }),
    nothing > 0 && t("{{count, number}} times nothing", { count: nothing, defaultValue_one: "once nothing" }),
  ];
  return (
    <p className="preview-counts" role="status">
      {counts.map(
        (says) =>
          says && (
            <Badge key={says} color="gray" variant="soft">
              {says}
            </Badge>
          ),
      )}
      <span>
        {t("of the newest {{count, number}} moments", {
          count: moments.length,
          defaultValue_one: "of the one moment that came",
        })}
      </span>
    </p>
  );
}
