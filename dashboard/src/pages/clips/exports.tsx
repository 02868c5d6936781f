// Copies of clips: the panel and the dialog that make them, the list of them, and their queries.
import {
  type BodyOf,
  type Clip,
  type ClipExport,
  cancelClipExport,
  type ExportPreset,
  exportClip,
  exportPresets,
  listClipExports,
  textOf,
} from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useDownload } from "../../api/media-pass.ts";
import { useClient } from "../../api/session.ts";
import { clipExportFile } from "../../api/use-clips.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { Dialog, scrollIntoDialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { NumberQuestion, SwitchField } from "../../ui/fields.tsx";
import { formatBytes, formatExactClock } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import type { TrimRange } from "../../ui/player/trim-range.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import {
  clipExportName,
  exportLimits,
  exportPresetIds,
  exportPresetName,
  exportStateText,
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
    async mutationFn(bodies: readonly BodyOf<typeof exportClip>[]) {
      for (const body of bodies) await client.call(exportClip, { body });
    },
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
  const target = clipExportName(made);
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
        const target = clipExportName(made);
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
type Choice = ExportPreset | typeof customSize;

/** What a person chose in the form. */
export type ExportChoice = { readonly choice: Choice; readonly typed: string; readonly microphone: boolean };
const firstChoice: ExportChoice = { choice: exportPresetIds[0] ?? customSize, typed: "8", microphone: false };

export const isUpright = ({ choice }: ExportChoice): boolean =>
  choice !== customSize && exportPresets[choice].isUpright === true;

export const useExportChoice = () => useState(firstChoice);

type PanelProps = Omit<FormProps, "clips" | "onMade"> & { clip: Clip };

/** Makes a copy of the clip, or of its selected range, as a preset makes it. Lists the copies of this clip. */
export function ExportPanel({ clip, ...form }: PanelProps) {
  const asked = useExports(clip.id);
  return (
    <section ref={scrollIntoDialog} className="card player-panel" aria-label={t("Export")}>
      <ExportForm clips={[clip]} {...form} />
      <ErrorText error={asked.error} />
      <ExportList exports={asked.data ?? []} />
    </section>
  );
}

type DialogProps = { clips: readonly Clip[]; onMade: () => void; onClose: () => void };

/** Makes a copy of each selected clip. A vertical copy shows the middle of the picture. */
export function ExportDialog({ clips, onMade, onClose }: DialogProps) {
  const title = useId();
  const [chosen, setChosen] = useExportChoice();
  const count = clips.length;
  return (
    <Dialog className="panel export-dialog" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Export {{count}} clips", { count, defaultValue_one: "Export {{count}} clip" })}</h2>
      <ExportForm clips={clips} chosen={chosen} onChoose={setChosen} onMade={onMade} />
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Says what the copy will be like. */
function outcomeText(
  choice: Choice,
  bytesMax: number | undefined,
  [clip, ...others]: readonly Clip[],
  isPart: boolean,
) {
  const {
    format = "mp4",
    sideMax: side = 0,
    isUpright: upright = false,
  } = choice === customSize ? {} : exportPresets[choice];
  if (format !== "mp4") return t("Without sound, at most {{side}} pixels wide or high. It plays by itself.", { side });
  if (upright) return t("The part in the frame, in full height, never upscaled.");
  if (clip === undefined || others.length > 0 || isPart || bytesMax === undefined)
    return t("The copy is re-encoded if it is too large, possibly at a lower resolution.");
  const size = formatBytes(clip.bytes);
  return clip.bytes <= bytesMax
    ? t("The clip ({{size}}) is small enough, so it is copied unchanged.", { size })
    : t("The clip ({{size}}) is too large, so the copy is re-encoded, possibly at a lower resolution.", { size });
}

type FormProps = {
  clips: readonly Clip[];
  chosen: ExportChoice;
  onChoose: (chosen: ExportChoice) => void;
  range?: TrimRange | undefined;
  /** Where the crop frame for a vertical copy is. */
  position?: number;
  onMade?: () => void;
};

function ExportForm({ clips, chosen, onChoose, range, position, onMade }: FormProps) {
  const { choice, typed, microphone } = chosen;
  const canHaveMicrophone =
    clips.some((clip) => clip.microphone) && (choice === customSize || exportPresets[choice].format === "mp4");
  const isMixed = canHaveMicrophone && microphone;
  const { ask } = useExportCalls();
  const bytesMax = choice === customSize ? parseCustomBytes(typed) : exportPresets[choice].bytesMax;
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (bytesMax === undefined) return;
    const shared = {
      ...(choice === customSize ? { bytesMax } : { preset: choice }),
      ...(range && { range: { fromSeconds: range.from, toSeconds: range.to } }),
      ...(isUpright(chosen) && position !== undefined && { crop: { position } }),
      ...(isMixed && { microphone }),
    };
    const bodies = clips.map(({ id }) => ({ clip: id, ...shared }));
    ask.mutate(bodies, onMade ? { onSuccess: onMade } : {});
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <fieldset className="export-presets">
        <legend>{t("Make a copy for")}</legend>
        {exportPresetIds.map((preset) => (
          <PresetOption
            key={preset}
            value={preset}
            chosen={choice}
            onChoose={(next) => onChoose({ ...chosen, choice: next })}
            says={exportPresetName(preset)}
            limit={exportLimits(preset)}
          />
        ))}
        <PresetOption
          value={customSize}
          chosen={choice}
          onChoose={(next) => onChoose({ ...chosen, choice: next })}
          says={t("Custom size")}
        />
        {choice === customSize && (
          <OwnSize
            typed={typed}
            onType={(next) => onChoose({ ...chosen, typed: next })}
            valid={bytesMax !== undefined}
          />
        )}
      </fieldset>
      <p className="small quiet">{outcomeText(choice, bytesMax, clips, range !== undefined || isMixed)}</p>
      {range && (
        <p className="small quiet">
          {t("Only the selection: {{from}} to {{to}}.", {
            from: formatExactClock(range.from),
            to: formatExactClock(range.to),
          })}
        </p>
      )}
      {canHaveMicrophone && (
        <SwitchField
          says={t("Include my microphone")}
          on={microphone}
          onChange={(next) => onChoose({ ...chosen, microphone: next })}
        />
      )}
      <Button type="submit" disabled={ask.isPending || bytesMax === undefined}>
        {t("Make {{count}} copies", { count: clips.length, defaultValue_one: "Make a copy" })}
      </Button>
      <ErrorText error={ask.error} />
    </form>
  );
}

type PresetOptionProps = {
  value: Choice;
  chosen: Choice;
  onChoose: (choice: Choice) => void;
  says: string;
  limit?: string;
};

function PresetOption({ value, chosen, onChoose, says, limit }: PresetOptionProps) {
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
      <NumberQuestion typed={typed} onChoose={onType} />
    </span>
  );
}
