// A dry run: which clips would go, in which order and why, if all had to fit into so much. Removes nothing.
import type { planCleanup, ReplyOf } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useDeferredValue, useId, useState } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { agoOf, sizeOf } from "./measures.ts";
import { useCleanupPlan } from "./use-clips.ts";

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
      <h2 id={ids.title}>What would go first?</h2>
      <p>
        When the clips hold more than they may, Kit removes those that matter least. Pinned clips never go. This list
        removes nothing.
      </p>
      <label className="cleanup-field" htmlFor={ids.field}>
        If {sizeOf(bytes)} had to fit into
        <TextField.Root
          id={ids.field}
          className="number-field"
          inputMode="decimal"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        GB
      </label>
      {plan.error && (
        <p className="details-warning" role="alert">
          {plan.error.message}
        </p>
      )}
      {plan.data && <Plan plan={plan.data} />}
      <div className="panel-end">
        <Button variant="soft" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Plan({ plan }: { plan: ReplyOf<typeof planCleanup> }) {
  const nowMs = Date.now();
  return (
    <>
      <p role="status">
        {plan.goes.length === 0
          ? plan.fits
            ? "Nothing would go: everything fits."
            : "Nothing can go: what is left is pinned."
          : `${plan.goes.length} would go and free ${sizeOf(plan.freedBytes)}.`}
        {plan.goes.length > 0 && !plan.fits && " Even then it would not fit: the rest is pinned."}
      </p>
      {plan.goes.length > 0 && (
        <ol className="cleanup-list">
          {plan.goes.map(({ clip, why }) => (
            <li key={clip.id}>
              <bdi className="clip-title">{visibleLine(clip.title, 120)}</bdi>
              <span>
                {sizeOf(clip.bytes)}, {agoOf(clip.startedAt, nowMs)}
              </span>
              <bdi className="cleanup-why">{visibleLine(why, 200)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
