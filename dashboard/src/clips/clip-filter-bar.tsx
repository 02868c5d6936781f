// The gallery's filters: game, kind, and what lies in the bin.
import { type ClipKind, clipKinds } from "@kit/contract";
import { SegmentedControl, Switch } from "@radix-ui/themes";
import { useId } from "react";
import { GameChoice } from "../live/game-choice.tsx";
import type { GalleryFilter } from "./clip-filter.ts";
import { clipKindWords } from "./words.ts";

export type GalleryChange = { readonly [K in keyof GalleryFilter]?: GalleryFilter[K] | undefined };

type Props = { filter: GalleryFilter; games: readonly string[]; onChange: (change: GalleryChange) => void };

export function ClipFilterBar({ filter, games, onChange }: Props) {
  const bin = useId();
  return (
    <search className="filters" aria-label="Filter the clips">
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <KindChoice chosen={filter.kind} onChange={onChange} />
      <label className="filter-refusals" htmlFor={bin}>
        <Switch id={bin} size="1" checked={filter.bin} onCheckedChange={(on) => onChange({ bin: on })} />
        Bin
      </label>
    </search>
  );
}

function KindChoice({ chosen, onChange }: { chosen: ClipKind | undefined; onChange: Props["onChange"] }) {
  return (
    <SegmentedControl.Root
      className="filter-kind"
      aria-label="Kind"
      value={chosen ?? "all"}
      onValueChange={(value) => onChange({ kind: clipKinds.find((kind) => kind === value) })}
    >
      <SegmentedControl.Item value="all">All</SegmentedControl.Item>
      {clipKinds.map((kind) => (
        <SegmentedControl.Item key={kind} value={kind}>
          {clipKindWords[kind].many}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}
