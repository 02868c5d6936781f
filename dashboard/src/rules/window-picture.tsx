// A rule's window as a picture: the seconds before and after a moment, and those in which another one still joins.
import { t } from "../language/language.ts";
import { formatNumber } from "../recorder/words.ts";
import type { RecordingChange } from "./rule-form.ts";
import { type Bar, windowShape } from "./shapes.ts";

const percent = (value: number) => `${Math.round(value * 100) / 100}%`;

function Part({ name, bar: { from, to } }: { name: string; bar: Bar }) {
  return <rect className={`window-${name}`} x={percent(from)} width={percent(to - from)} y="8" height="14" rx="2" />;
}

/** The sentence below says what the picture shows. */
export function WindowPicture({ rule }: { rule: Required<RecordingChange> }) {
  const { pre, post, gap, moment } = windowShape(rule);
  const { preSeconds, postSeconds, mergeGapSeconds, longestSeconds } = rule;
  return (
    <figure className="window-picture">
      <svg width="100%" height="30" aria-hidden="true" focusable="false">
        <Part name="gap" bar={gap} />
        <Part name="pre" bar={pre} />
        <Part name="post" bar={post} />
        <line className="window-moment" x1={percent(moment)} x2={percent(moment)} y1="2" y2="28" />
      </svg>
      <figcaption>
        <ul className="window-legend" aria-hidden="true">
          <li data-part="pre">{t("{{seconds}} s before", { seconds: formatNumber(preSeconds) })}</li>
          <li data-part="moment">{t("the moment")}</li>
          <li data-part="post">{t("{{seconds}} s after", { seconds: formatNumber(postSeconds) })}</li>
          <li data-part="gap">{t("{{seconds}} s to join", { seconds: formatNumber(mergeGapSeconds) })}</li>
        </ul>
        <p>
          {t(
            "One moment alone makes a clip of {{seconds}} s. Another within {{gap}} s after its end makes it longer, up to {{longest}} s.",
            {
              seconds: formatNumber(preSeconds + postSeconds),
              gap: formatNumber(mergeGapSeconds),
              longest: formatNumber(longestSeconds),
            },
          )}
        </p>
      </figcaption>
    </figure>
  );
}
