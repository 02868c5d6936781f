// What recording made of an event, beside its receipt.
import type { KitEvent } from "@kit/contract";
import { ClipTile } from "../clips/clip-tile.tsx";
import { useClipsOfEvent } from "../clips/use-clips.ts";
import { isMarker } from "../clips/words.ts";
import { t } from "../language/language.ts";
import { Section } from "./section.tsx";

export function EventClips({ event }: { event: KitEvent }) {
  const clips = useClipsOfEvent(event.id, event.state).data?.clips ?? [];
  if (clips.length === 0) return null;
  const title = clips.length === 1 ? t("Clip") : t("Clips");
  return (
    <Section title={clips.every(isMarker) ? t("Marker") : title}>
      <ul className="clip-tiles">
        {clips.map((clip) => (
          <li key={clip.id}>
            <ClipTile clip={clip} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
