// Below the video: how fast, again and again, and the two things that make a new file of it: a part, and a copy that fits.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { locale, t } from "../../language/language.ts";
import { speeds } from "../../ui/clips/player-keys.ts";
import { type Playback, usePart } from "../../ui/clips/use-playback.ts";
import { Icon } from "../../ui/icon.tsx";
import { ExportPanel } from "./export-panel.tsx";
import { TrimPanel } from "./trim-panel.tsx";
import type { ClipCommands } from "./use-clip-commands.ts";
import type { Part } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; part: Part; doing: ClipCommands };

export function PlayerTools({ clip, playback, part, doing }: Props) {
  const [exporting, setExporting] = useState(false);
  usePart(playback, { part: part.range, loops: part.loops });
  return (
    <>
      <div className="player-tools">
        <Speed playback={playback} />
        <Button
          variant="soft"
          color={part.loops ? "iris" : "gray"}
          aria-pressed={part.loops}
          title={part.range ? t("The part again and again (R)") : t("Again and again (R)")}
          onClick={() => part.setLoops(!part.loops)}
        >
          <Icon name="repeat" size={14} />
          {t("Loop")}
        </Button>
        {clip.deletedAt === null && (
          <>
            <Button
              variant="soft"
              color={part.range ? "iris" : "gray"}
              aria-expanded={part.range !== undefined}
              title={t("Make a part of it a clip of its own (I, O)")}
              onClick={part.toggle}
            >
              <Icon name="scissors" size={14} />
              {t("Trim")}
            </Button>
            <Button
              variant="soft"
              color={exporting ? "iris" : "gray"}
              aria-expanded={exporting}
              title={t("A copy small enough for where you put it")}
              onClick={() => setExporting(!exporting)}
            >
              <Icon name="share" size={14} />
              {t("Export")}
            </Button>
          </>
        )}
      </div>
      {part.range && <TrimPanel clip={clip} playback={playback} part={part} range={part.range} doing={doing} />}
      {exporting && <ExportPanel clip={clip} />}
    </>
  );
}

function Speed({ playback: { speed, setSpeed } }: { playback: Playback }) {
  return (
    <span className="select">
      <select
        aria-label={t("Speed")}
        title={t("Speed (< and >)")}
        value={speed}
        onChange={({ target }) => setSpeed(Number(target.value))}
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {t("{{speed}} ×", { speed: each.toLocaleString(locale()) })}
          </option>
        ))}
      </select>
    </span>
  );
}
