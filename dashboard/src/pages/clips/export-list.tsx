// Copies of clips: how far each is, what is not as in the clip, and the way to have it.
import type { ClipExport } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { useDownload } from "../../api/media-pass.tsx";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { copyOf } from "../../ui/clips/media-urls.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { exportStateWord, forWord, percent } from "./export-words.ts";
import { isMoving, useExportCalls } from "./use-exports.ts";

type Props = {
  exports: readonly ClipExport[];
  /** Where they are of several clips: each says of which, and leads to it. */
  named?: boolean;
};

export function ExportList({ exports, named = false }: Props) {
  const { end } = useExportCalls();
  const save = useDownload();
  return (
    <div className="exports">
      <Told exports={exports} />
      {exports.length > 0 && (
        <ul aria-label={t("Copies")}>
          {exports.map((each) => (
            <ExportLine
              key={each.id}
              made={each}
              named={named}
              onSave={() => save.mutate(copyOf(each))}
              onEnd={() => end.mutate(each.id)}
            />
          ))}
        </ul>
      )}
      {(end.error ?? save.error) && (
        <p className="details-warning" role="alert">
          {(end.error ?? save.error)?.message}
        </p>
      )}
    </div>
  );
}

type LineProps = { made: ClipExport; named: boolean; onSave: () => void; onEnd: () => void };

function ExportLine({ made, named, onSave, onEnd }: LineProps) {
  const target = forWord(made);
  const name = visibleLine(made.fileName, 120);
  return (
    <li className="export" data-state={made.state}>
      <span className="export-for">
        <strong>{target}</strong>
        {named && (
          <a href={clipsAddress(made.clip)}>
            <bdi>{name}</bdi>
          </a>
        )}
        <span>{exportStateWord(made)}</span>
      </span>
      {isMoving(made) && (
        <progress aria-label={t("Copy for {{target}}", { target })} value={percent(made.progress)} max={100} />
      )}
      {made.reason !== null && made.state === "failed" && (
        <bdi className="export-note" data-bad="true">
          {visibleText(visibleLine(translateMessage(made.reason), 300))}
        </bdi>
      )}
      {made.notes.map((note) => (
        <bdi key={note} className="export-note">
          {visibleText(visibleLine(translateMessage(note), 200))}
        </bdi>
      ))}
      <span className="export-buttons">
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
            isMoving(made)
              ? t("Cancel the copy for {{target}}", { target })
              : t("Forget the copy for {{target}}", { target })
          }
          onClick={onEnd}
        >
          {isMoving(made) ? t("Cancel") : t("Forget")}
        </Button>
      </span>
    </li>
  );
}

/** Says what came to its end: the progress of each would be noise to who listens. */
function Told({ exports }: Pick<Props, "exports">) {
  const moving = useRef(new Set<string>());
  const [says, setSays] = useState("");
  useEffect(() => {
    for (const made of exports) {
      if (isMoving(made)) moving.current.add(made.id);
      else if (moving.current.delete(made.id)) {
        const target = forWord(made);
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
