// Tools below the video: speed, loop, trim and export.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { locale, t } from "../../../language/language.ts";
import { Select } from "../../../ui/fields.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { playbackSpeeds } from "../../../ui/player/player-keys.ts";
import { type Playback, usePlaybackRange } from "../../../ui/player/use-playback.ts";
import { ExportPanel } from "../exports/export-panel.tsx";
import type { ClipCommands } from "../use-clip-commands.ts";
import { TrimPanel } from "./trim-panel.tsx";
import type { TrimState } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; trim: TrimState; commands: ClipCommands };

export function PlayerTools({ clip, playback, trim, commands }: Props) {
  const [exporting, setExporting] = useState(false);
  usePlaybackRange(playback, { range: trim.range, loops: trim.loops });
  return (
    <>
      <div className="cluster tight">
        <Speed playback={playback} />
        <Button
          variant="soft"
          color={trim.loops ? "iris" : "gray"}
          aria-pressed={trim.loops}
          title={trim.range ? t("Loop the selection (R)") : t("Loop (R)")}
          onClick={() => trim.setLoops(!trim.loops)}
        >
          <Icon name="repeat" size={14} />
          {t("Loop")}
        </Button>
        {clip.deletedAt === null && (
          <>
            <Button
              variant="soft"
              color={trim.range ? "iris" : "gray"}
              aria-expanded={trim.range !== undefined}
              title={t("Save part of this clip as a new clip (I, O)")}
              onClick={trim.toggle}
            >
              <Icon name="scissors" size={14} />
              {t("Trim")}
            </Button>
            <Button
              variant="soft"
              color={exporting ? "iris" : "gray"}
              aria-expanded={exporting}
              title={t("Make a copy that fits the size limit of a service")}
              onClick={() => setExporting(!exporting)}
            >
              <Icon name="share" size={14} />
              {t("Export")}
            </Button>
          </>
        )}
      </div>
      {trim.range && <TrimPanel clip={clip} playback={playback} trim={trim} range={trim.range} commands={commands} />}
      {exporting && <ExportPanel clip={clip} />}
    </>
  );
}

function Speed({ playback: { speed, setSpeed } }: { playback: Playback }) {
  const choices = playbackSpeeds.map((each) => ({
    value: each,
    says: t("{{speed}} ×", { speed: each.toLocaleString(locale()) }),
  }));
  return (
    <span title={t("Speed (< and >)")}>
      <Select label={t("Speed")} choices={choices} value={speed} onChange={setSpeed} />
    </span>
  );
}
