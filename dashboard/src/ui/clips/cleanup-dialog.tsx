// Previews a cleanup for a given limit: which clips Kit would delete, in which order and why. Deletes nothing.
import type { planCleanup, ReplyOf } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useDeferredValue, useId, useState } from "react";
import { useCleanupPlan } from "../../api/use-clips.ts";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { Dialog } from "../dialog.tsx";
import { ErrorText } from "../error-text.tsx";
import { formatAgo, formatBytes } from "../format.ts";
import { visibleLine } from "../visible-text.ts";

const gigabyte = 1_000_000_000;

/** Parses a number of gigabytes that a person typed. Returns undefined while the text is not a number. */
function parseGigabytes(typed: string): number | undefined {
  const value = Number(typed.replace(",", "."));
  return typed.trim() === "" || !Number.isFinite(value) || value < 0 ? undefined : Math.round(value * gigabyte);
}

type Props = { quotaBytes: number; bytes: number; onClose: () => void };

export function CleanupDialog({ quotaBytes, bytes, onClose }: Props) {
  const ids = { title: useId(), field: useId() };
  const [typed, setTyped] = useState(String(quotaBytes / gigabyte));
  const asked = useDeferredValue(parseGigabytes(typed));
  const plan = useCleanupPlan(asked);
  return (
    <Dialog className="panel roomy" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>{t("What would be deleted first?")}</h2>
      <p>
        {t(
          "When the clips exceed their disk space, Kit deletes the least important ones, but never pinned clips. This preview deletes nothing.",
        )}
      </p>
      <label className="cluster tight" htmlFor={ids.field}>
        <Trans
          i18nKey="If the clips ({{bytes}}) had to fit into <field /> GB"
          values={{ bytes: formatBytes(bytes) }}
          components={{
            field: (
              <TextField.Root
                id={ids.field}
                className="number-field"
                inputMode="decimal"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            ),
          }}
        />
      </label>
      <ErrorText error={plan.error} />
      {plan.data && <Plan plan={plan.data} />}
      <div className="panel-end">
        <Button variant="soft" onClick={onClose}>
          {t("Close")}
        </Button>
      </div>
    </Dialog>
  );
}

type PlanReply = ReplyOf<typeof planCleanup>;

function planSummary({ goes, fits, freedBytes }: PlanReply): string {
  if (goes.length === 0) {
    return fits
      ? t("No clip would be deleted: everything fits.")
      : t("No clip can be deleted: the remaining clips are pinned.");
  }
  const count = goes.length;
  const size = formatBytes(freedBytes);
  return fits
    ? t("Kit would delete {{count}} clips and free {{size}}.", {
        count,
        size,
        defaultValue_one: "Kit would delete {{count}} clip and free {{size}}.",
      })
    : t("Kit would delete {{count}} clips and free {{size}}, but that is not enough: the rest is pinned.", {
        count,
        size,
        defaultValue_one:
          "Kit would delete {{count}} clip and free {{size}}, but that is not enough: the rest is pinned.",
      });
}

function Plan({ plan }: { plan: PlanReply }) {
  const nowMs = Date.now();
  return (
    <>
      <p role="status">{planSummary(plan)}</p>
      {plan.goes.length > 0 && (
        <ol className="lines scroll small">
          {plan.goes.map(({ clip, why }) => (
            <li key={clip.id}>
              <span className="spread">
                <bdi className="clip-title ellipsis">{visibleLine(clip.title, 120)}</bdi>
                <span>
                  {t("{{size}}, {{ago}}", { size: formatBytes(clip.bytes), ago: formatAgo(clip.startedAt, nowMs) })}
                </span>
              </span>
              <bdi className="quiet">{visibleLine(translateMessage(why), 200)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
