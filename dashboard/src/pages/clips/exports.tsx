// Copies of clips that fit a target: the panel that makes them, the list of them, and their queries.
import {
  type BodyOf,
  type Clip,
  type ClipExport,
  cancelClipExport,
  type ExportTarget,
  exportClip,
  exportTargets,
  listClipExports,
  textOf,
} from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useDownload } from "../../api/media-pass.tsx";
import { useClient } from "../../api/session.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { clipExportFile } from "../../ui/clips/media-urls.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import {
  clipExportTargetName,
  exportStateText,
  exportTargetIds,
  exportTargetName,
  parseCustomBytes,
  toPercent,
} from "./export-text.ts";

/** Polling interval while an export is in progress. */
const followMs = 500;

const exportsKey = ["clip-exports"];

export const isExportRunning = ({ state }: ClipExport): boolean => state === "waiting" || state === "encoding";

/** Fetches all exports since the launcher started, or those of one clip. */
export function useExports(clip?: string) {
  const client = useClient();
  return useQuery({
    queryKey: [...exportsKey, clip ?? null],
    queryFn: async () => (await client.call(listClipExports, { query: clip === undefined ? {} : { clip } })).exports,
    refetchInterval: ({ state }) => (state.data?.some(isExportRunning) ? followMs : false),
  });
}

function useExportCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: exportsKey });
  const ask = useMutation({
    mutationFn: (body: BodyOf<typeof exportClip>) => client.call(exportClip, { body }),
    onSettled,
  });
  const end = useMutation({
    mutationFn: (id: string) => client.call(cancelClipExport, { params: { id } }),
    onSettled,
  });
  return { ask, end };
}

type Props = {
  exports: readonly ClipExport[];
  /** Also shows the name of each clip, for a list with exports of several clips. */
  named?: boolean;
};

/** The list of exports: progress, notes, download and removal. */
export function ExportList({ exports, named = false }: Props) {
  const { end } = useExportCalls();
  const save = useDownload();
  return (
    <div className="stack tight">
      <ExportAnnouncer exports={exports} />
      {exports.length > 0 && (
        <ul className="stack tight" aria-label={t("Copies")}>
          {exports.map((each) => (
            <ExportLine
              key={each.id}
              made={each}
              named={named}
              onSave={() => save.mutate(clipExportFile(each))}
              onEnd={() => end.mutate(each.id)}
            />
          ))}
        </ul>
      )}
      <ErrorText error={end.error ?? save.error} />
    </div>
  );
}

type LineProps = { made: ClipExport; named: boolean; onSave: () => void; onEnd: () => void };

function ExportLine({ made, named, onSave, onEnd }: LineProps) {
  const target = clipExportTargetName(made);
  const name = visibleLine(made.fileName, 120);
  return (
    <li className="card" data-state={made.state}>
      <span className="cluster">
        <strong>{target}</strong>
        {named && (
          <a href={clipsAddress(made.clip)}>
            <bdi>{name}</bdi>
          </a>
        )}
        <span>{exportStateText(made)}</span>
      </span>
      {isExportRunning(made) && (
        <progress aria-label={t("Copy for {{target}}", { target })} value={toPercent(made.progress)} max={100} />
      )}
      {made.reason !== null && made.state === "failed" && (
        <bdi className="small error">{visibleText(visibleLine(translateMessage(made.reason), 300))}</bdi>
      )}
      {made.notes.map((note) => (
        <bdi key={textOf(note)} className="small warn">
          {visibleText(visibleLine(translateMessage(note), 200))}
        </bdi>
      ))}
      <span className="cluster tight">
        {made.state === "ready" && (
          <Button size="1" onClick={onSave}>
            <Icon name="download" size={14} />
            {t("Download")}
            <span className="unseen">{t("the copy for {{target}}", { target })}</span>
          </Button>
        )}
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={
            isExportRunning(made)
              ? t("Cancel the copy for {{target}}", { target })
              : t("Remove the copy for {{target}} from this list", { target })
          }
          onClick={onEnd}
        >
          {isExportRunning(made) ? t("Cancel") : t("Remove")}
        </Button>
      </span>
    </li>
  );
}

/** Announces finished exports to screen readers, but not their progress. */
function ExportAnnouncer({ exports }: Pick<Props, "exports">) {
  const moving = useRef(new Set<string>());
  const [says, setSays] = useState("");
  useEffect(() => {
    for (const made of exports) {
      if (isExportRunning(made)) moving.current.add(made.id);
      else if (moving.current.delete(made.id)) {
        const target = clipExportTargetName(made);
        setSays(
          made.state === "ready"
            ? t("The copy for {{target}} is ready.", { target })
            : t("The copy for {{target}} failed.", { target }),
        );
      }
    }
  }, [exports]);
  return (
    <p className="unseen" role="status">
      {says}
    </p>
  );
}

const customSize = "own";
type Choice = ExportTarget | typeof customSize;

/** Makes a copy of the clip that fits a service or a given size, and lists the copies of this clip. */
export function ExportPanel({ clip }: { clip: Clip }) {
  const asked = useExports(clip.id);
  return (
    <section className="card" aria-label={t("Export")}>
      <ExportForm clip={clip} />
      <ErrorText error={asked.error} />
      <ExportList exports={asked.data ?? []} />
    </section>
  );
}

function ExportForm({ clip }: { clip: Clip }) {
  const [choice, setChoice] = useState<Choice>(exportTargetIds[0] ?? customSize);
  const [typed, setTyped] = useState("8");
  const { ask } = useExportCalls();
  const bytesMax = choice === customSize ? parseCustomBytes(typed) : exportTargets[choice].bytesMax;
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (bytesMax === undefined) return;
    ask.mutate({ clip: clip.id, ...(choice === customSize ? { bytesMax } : { target: choice }) });
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <fieldset className="export-targets">
        <legend>{t("Make a copy small enough for")}</legend>
        {exportTargetIds.map((target) => (
          <TargetOption
            key={target}
            value={target}
            chosen={choice}
            onChoose={setChoice}
            says={exportTargetName(target)}
            limit={t("up to {{size}}", { size: formatBytes(exportTargets[target].bytesMax) })}
          />
        ))}
        <TargetOption value={customSize} chosen={choice} onChoose={setChoice} says={t("Custom size")} />
        {choice === customSize && <OwnSize typed={typed} onType={setTyped} valid={bytesMax !== undefined} />}
      </fieldset>
      <p className="small quiet">
        {bytesMax !== undefined && clip.bytes <= bytesMax
          ? t("The clip has {{size}} and fits, so it is copied unchanged.", { size: formatBytes(clip.bytes) })
          : t("The clip has {{size}} and is too large, so the copy is re-encoded, possibly at a lower resolution.", {
              size: formatBytes(clip.bytes),
            })}
      </p>
      <Button type="submit" disabled={ask.isPending || bytesMax === undefined}>
        {t("Make a copy")}
      </Button>
      <ErrorText error={ask.error} />
    </form>
  );
}

type TargetOptionProps = {
  value: Choice;
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  says: string;
  limit?: string;
};

function TargetOption({ value, chosen, onChoose, says, limit }: TargetOptionProps) {
  const id = useId();
  return (
    <label className="switch-label" htmlFor={id}>
      <input id={id} type="radio" name="place" checked={chosen === value} onChange={() => onChoose(value)} />
      <span>{says}</span>
      {limit && <span className="small quiet">{limit}</span>}
    </label>
  );
}

type OwnProps = { typed: string; onType: (typed: string) => void; valid: boolean };

function OwnSize({ typed, onType, valid }: OwnProps) {
  const ids = { field: useId(), says: useId() };
  return (
    <span className="cluster inline-form">
      <label htmlFor={ids.field}>{t("Megabytes")}</label>
      <TextField.Root
        id={ids.field}
        className="number-field"
        inputMode="decimal"
        aria-invalid={!valid}
        aria-describedby={ids.says}
        value={typed}
        onChange={({ target }) => onType(target.value)}
      />
      <span id={ids.says}>{t("At least 0.5 MB")}</span>
    </span>
  );
}
