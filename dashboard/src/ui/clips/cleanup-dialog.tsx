// A dry run: which clips would go, in which order and why, if all had to fit into so much. Removes nothing.
import type { planCleanup, ReplyOf } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useDeferredValue, useId, useState } from "react";
import { useCleanupPlan } from "../../api/use-clips.ts";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { Dialog } from "../dialog.tsx";
import { agoOf, sizeOf } from "../measures.ts";
import { visibleLine } from "../visible-text.ts";

const gigabyte = 1_000_000_000;

/** Gigabytes as typed; undefined while it is not a number yet. */
function bytesOf(typed: string): number | undefined {
  const value = Number(typed.replace(",", "."));
  return typed.trim() === "" || !Number.isFinite(value) || value < 0 ? undefined : Math.round(value * gigabyte);
}

type Props = { quotaBytes: number; bytes: number; onClose: () => void };

export function CleanupDialog({ quotaBytes, bytes, onClose }: Props) {
  const ids = { title: useId(), field: useId() };
  const [typed, setTyped] = useState(String(quotaBytes / gigabyte));
  const asked = useDeferredValue(bytesOf(typed));
  const plan = useCleanupPlan(asked);
  return (
    <Dialog className="panel cleanup" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>{t("What would go first?")}</h2>
      <p>
        {t(
          "When the clips hold more than they may, Kit removes those that matter least. Pinned clips never go. This list removes nothing.",
        )}
      </p>
      <label className="cleanup-field" htmlFor={ids.field}>
        <Trans
          i18nKey="If {{held}} had to fit into <field /> GB"
          values={{ held: sizeOf(bytes) }}
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
      {plan.error && (
        <p className="details-warning" role="alert">
          {plan.error.message}
        </p>
      )}
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

function saysOf({ goes, fits, freedBytes }: PlanReply): string {
  if (goes.length === 0) {
    return fits ? t("Nothing would go: everything fits.") : t("Nothing can go: what is left is pinned.");
  }
  const given = { count: goes.length, size: sizeOf(freedBytes) };
  return fits
    ? t("{{count}} would go and free {{size}}.", given)
    : t("{{count}} would go and free {{size}}. Even then it would not fit: the rest is pinned.", given);
}

function Plan({ plan }: { plan: PlanReply }) {
  const nowMs = Date.now();
  return (
    <>
      <p role="status">{saysOf(plan)}</p>
      {plan.goes.length > 0 && (
        <ol className="cleanup-list">
          {plan.goes.map(({ clip, why }) => (
            <li key={clip.id}>
              <bdi className="clip-title">{visibleLine(clip.title, 120)}</bdi>
              <span>{t("{{size}}, {{ago}}", { size: sizeOf(clip.bytes), ago: agoOf(clip.startedAt, nowMs) })}</span>
              <bdi className="cleanup-why">{visibleLine(translateMessage(why), 200)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
