// A collapsed list of markers: moments without video.

import type { Clip } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useState } from "react";
import { t, translateMessage } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { gameName } from "../../../ui/game-name.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Time } from "../../../ui/labels.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import type { ClipCommands } from "../use-clip-commands.ts";

type Props = { markers: readonly Clip[]; query: string; commands: ClipCommands };

/** Longer lists start collapsed, because a game can leave hundreds of markers in an hour. */
const openMax = 3;
const drawnMax = 50;

export function MarkerList({ markers, query, commands }: Props) {
  const count = markers.length;
  const [open, setOpen] = useState(count <= openMax);
  const [drawn, setDrawn] = useState(drawnMax);
  const shown = open ? markers.slice(0, drawn) : [];
  return (
    <details className="markers" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{t("{{count}} markers", { count, defaultValue_one: "{{count}} marker" })}</strong>{" "}
        <span className="small">{t("Moments without video: nothing was being recorded.")}</span>
      </summary>
      <ul className="lines">
        {shown.map((marker) => (
          <MarkerLine key={marker.id} marker={marker} query={query} commands={commands} />
        ))}
      </ul>
      {open && drawn < count && (
        <Button size="1" variant="soft" color="gray" onClick={() => setDrawn(drawn + drawnMax)}>
          {t("Show more")}
        </Button>
      )}
    </details>
  );
}

function MarkerLine({ marker, query, commands }: { marker: Clip; query: string; commands: ClipCommands }) {
  const title = visibleLine(marker.title, 200);
  const inBin = marker.deletedAt !== null;
  const label = inBin ? t("Restore") : t("Delete");
  return (
    <li className="marker small">
      <Time at={marker.events[0]?.at ?? marker.startedAt} />
      <a href={clipsAddress(marker.id, query)}>
        <bdi className="ellipsis">{title}</bdi>
      </a>
      <bdi className="marker-game ellipsis">{gameName(marker.game)}</bdi>
      {marker.reason && <bdi className="ellipsis">{visibleLine(translateMessage(marker.reason), 200)}</bdi>}
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t("{{action}}: {{title}}", { action: label, title })}
        title={label}
        onClick={() => (inBin ? commands.restore([marker]) : commands.discard([marker]))}
      >
        <Icon name={inBin ? "undo" : "bin"} size={14} />
      </IconButton>
    </li>
  );
}
