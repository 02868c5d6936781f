// The list of exports: progress, notes, download and removal.
import { type ClipExport, textOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { useDownload } from "../../../api/media-pass.tsx";
import { t, translateMessage } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { clipExportFile } from "../../../ui/clips/media-urls.ts";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../../ui/visible-text.ts";
import { clipExportTargetName, exportStateText, toPercent } from "./export-text.ts";
import { isExportRunning, useExportCalls } from "./use-exports.ts";

type Props = {
  exports: readonly ClipExport[];
  /** Also shows the name of each clip, for a list with exports of several clips. */
  named?: boolean;
};

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
