// Frees disk space: shows which clips would go, moves them to the trash, and then deletes them for good or restores them.
import {
  type CleanupOrder,
  type Clip,
  deleteClip,
  KitError,
  type planCleanup,
  type ReplyOf,
  restoreClip,
} from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
import { useDeferredValue, useId, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useCleanupPlan, useRefetchClips } from "../../api/use-clips.ts";
import { useGameNames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../dialog.tsx";
import { ErrorText } from "../error-text.tsx";
import { GameChoice, NumberQuestion, Select } from "../fields.tsx";
import { formatBytes } from "../format.ts";
import { clearNumber, writeNumber } from "../numbers.ts";
import { RemovalList } from "./removal-list.tsx";

const gigabyte = 1_000_000_000;
const hundredth = gigabyte / 100;

/** Proposes a quarter of what clips use, at most 1 GB, in hundredths of a gigabyte. */
const firstGigabytes = (usedBytes: number): number =>
  Math.max(1, Math.min(100, Math.round(usedBytes / 4 / hundredth))) / 100;

const orderChoices = () => [
  { value: "importance" as const, says: t("Least important first") },
  { value: "age" as const, says: t("Oldest first") },
];

type PlanReply = ReplyOf<typeof planCleanup>;
type Removal = PlanReply["goes"][number];
/** The trashed clips, and those of them that this dialog moved there. */
type Trashed = { readonly all: readonly Removal[]; readonly moved: readonly Removal[] };

export function CleanupDialog({ usedBytes, onClose }: { usedBytes: number; onClose: () => void }) {
  const title = useId();
  const [trashed, setTrashed] = useState<Trashed>();
  return (
    <Dialog className="panel roomy" labelledBy={title} asksBeforeLoss={false} onClose={onClose}>
      <h2 id={title}>{t("Free up space")}</h2>
      {trashed === undefined ? (
        <ChooseStep usedBytes={usedBytes} onTrashed={setTrashed} onClose={onClose} />
      ) : (
        <DeleteStep trashed={trashed} onUndone={() => setTrashed(undefined)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof KitError && error.code === "not_found")) throw error;
}

/** Calls the launcher for one clip after another and counts them. A clip that is gone already counts as done. */
function useForEachClip(action: (clip: Clip) => Promise<unknown>) {
  const refetchClips = useRefetchClips();
  const [doneCount, setDoneCount] = useState(0);
  const run = useMutation({
    mutationFn: async (removals: readonly Removal[]) => {
      for (const [index, { clip }] of removals.entries()) {
        setDoneCount(index);
        await action(clip).catch(ignoreGone);
      }
    },
    onSettled: refetchClips,
  });
  return { ...run, doneCount };
}

type ChooseProps = { usedBytes: number; onTrashed: (trashed: Trashed) => void; onClose: () => void };

function ChooseStep({ usedBytes, onTrashed, onClose }: ChooseProps) {
  const client = useClient();
  const field = useId();
  const [typed, setTyped] = useState(() => writeNumber(firstGigabytes(usedBytes)));
  const [by, setBy] = useState<CleanupOrder>("importance");
  const [game, setGame] = useState<string>();
  const bytes = Math.round((clearNumber(typed) ?? 0) * gigabyte);
  const request = useMemo(
    () => (bytes > 0 ? { freeBytes: bytes, by, ...(game !== undefined && { game }) } : undefined),
    [bytes, by, game],
  );
  const plan = useCleanupPlan(useDeferredValue(request));
  const goes = plan.data?.goes ?? [];
  const outside = goes.filter(({ clip }) => clip.deletedAt === null);
  const trash = useForEachClip((clip) => client.call(deleteClip, { params: { id: clip.id }, query: {} }));
  return (
    <>
      <div className="cluster">
        <label className="cluster tight" htmlFor={field}>
          {t("How much (GB)")}
          <TextField.Root
            id={field}
            className="number-field"
            inputMode="decimal"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <Select label={t("Which clips go first")} choices={orderChoices()} value={by} onChange={setBy} />
        <GameChoice chosen={game} games={useGameNames([])} onChange={(change) => setGame(change.game)} />
      </div>
      <NumberQuestion typed={typed} onChoose={setTyped} />
      <ErrorText error={plan.error ?? trash.error} />
      {plan.data && (
        <>
          <p className="cluster tight" role="status">
            {planSummary(plan.data)}
            {!plan.data.fits && plan.data.freeableBytes >= hundredth && (
              <Button size="1" variant="soft" onClick={() => setTyped(mostGigabytes(plan.data))}>
                {t("Propose that much")}
              </Button>
            )}
          </p>
          <RemovalList goes={plan.data.goes} />
        </>
      )}
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button
          disabled={goes.length === 0 || plan.isPlaceholderData}
          loading={trash.isPending}
          onClick={() => trash.mutate(outside, { onSuccess: () => onTrashed({ all: goes, moved: outside }) })}
        >
          {goes.length > 0 && outside.length === 0
            ? t("Delete from the trash…")
            : t("Move {{count}} clips to the trash", {
                count: outside.length,
                defaultValue_one: "Move {{count}} clip to the trash",
              })}
        </Button>
      </div>
    </>
  );
}

type DeleteProps = { trashed: Trashed; onUndone: () => void; onClose: () => void };

function DeleteStep({ trashed: { all, moved }, onUndone, onClose }: DeleteProps) {
  const client = useClient();
  const remove = useForEachClip((clip) =>
    client.call(deleteClip, { params: { id: clip.id }, query: { forever: true } }),
  );
  const restore = useForEachClip((clip) => client.call(restoreClip, { params: { id: clip.id } }));
  const size = formatBytes(all.reduce((sum, { clip }) => sum + clip.bytes, 0));
  if (remove.isSuccess) return <Freed size={size} onClose={onClose} />;
  return (
    <>
      <p role="status">
        {t("These clips are in the trash. Their {{size}} become free when they are deleted permanently.", { size })}
      </p>
      {remove.isPending && <progress max={all.length} value={remove.doneCount} aria-label={t("Deleting")} />}
      <ErrorText error={remove.error ?? restore.error} />
      <div className="panel-end">
        {moved.length > 0 && (
          <Button
            variant="soft"
            color="gray"
            loading={restore.isPending}
            disabled={remove.isPending}
            onClick={() => restore.mutate(moved, { onSuccess: onUndone })}
          >
            {t("Undo")}
          </Button>
        )}
        <Button variant="soft" color="gray" disabled={remove.isPending} onClick={onClose}>
          {t("Keep them in the trash")}
        </Button>
        <Button color="ruby" loading={remove.isPending} onClick={() => remove.mutate(all)}>
          {t("Delete permanently")}
        </Button>
      </div>
    </>
  );
}

function Freed({ size, onClose }: { size: string; onClose: () => void }) {
  return (
    <>
      <p role="status">{t("{{size}} are free now.", { size })}</p>
      <div className="panel-end">
        <Button onClick={onClose}>{t("Close")}</Button>
      </div>
    </>
  );
}

const mostGigabytes = ({ freeableBytes }: PlanReply): string =>
  writeNumber(Math.floor(freeableBytes / hundredth) / 100);

function planSummary({ goes, fits, freedBytes, freeableBytes }: PlanReply): string {
  if (freeableBytes === 0)
    return t("No clip can be deleted: every matching clip is pinned or needed by a post, or no clip matches.");
  if (!fits)
    return t("Clips can free {{size}} at most: the others are pinned, needed by a post, or do not match.", {
      size: formatBytes(freeableBytes),
    });
  const count = goes.length;
  const size = formatBytes(freedBytes);
  return t("{{count}} clips, {{size}}:", { count, size, defaultValue_one: "{{count}} clip, {{size}}:" });
}
