// The download of an export, with or without clip files, and its approximate size.

import { exportEverything, type Usage } from "@kit/contract";
import { Button, Checkbox } from "@radix-ui/themes";
import { useId, useState } from "react";
import { unsorted } from "../../api/event-filter.ts";
import { useDownload } from "../../api/media-pass.tsx";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatBytes } from "../../ui/format.ts";
import { gameName } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { estimateExportBytes } from "../../ui/storage-usage.ts";

/** `game`: undefined exports everything; null exports what belongs to no game. */
type Props = { usage: Usage; game: string | null | undefined; onClose: () => void };

export function ExportDialog({ usage, game, onClose }: Props) {
  const ids = { title: useId(), files: useId() };
  const [files, setFiles] = useState(true);
  const bytes = estimateExportBytes(usage, game);
  const save = useDownload();
  const query = { files, ...(game === undefined ? {} : { game: game ?? unsorted }) };
  return (
    <Dialog className="panel" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>
        {game === undefined ? t("Export everything") : t("Export {{game}}", { game: gameName(game) })}
      </h2>
      <p>
        {t(
          "One ZIP file: events, issues, posts, sessions and clips as JSON Lines, rules and settings as JSON, and a README that explains them. It contains no passwords or keys.",
        )}
      </p>
      <label className="kept-check" htmlFor={ids.files}>
        <Checkbox id={ids.files} checked={files} onCheckedChange={(on) => setFiles(on === true)} />
        <span>{t("Include clip files, {{size}}", { size: formatBytes(bytes.files) })}</span>
      </label>
      <p className="kept-quiet" role="status">
        {t("About {{size}} at most.", { size: formatBytes(bytes.without + (files ? bytes.files : 0)) })}
      </p>
      {save.error && (
        <p className="details-warning" role="alert">
          {save.error.message}
        </p>
      )}
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Close")}
        </Button>
        <Button
          disabled={save.isPending}
          onClick={() => save.mutate({ operation: exportEverything, query }, { onSuccess: onClose })}
        >
          <Icon name="download" size={14} /> {t("Download")}
        </Button>
      </div>
    </Dialog>
  );
}
