// The small labels of a clip: what is special about it, in words.
import type { Clip } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { Icon } from "../frame/icon.tsx";
import { toneColours } from "../live/labels.tsx";
import { badgesOf } from "./words.ts";

export function ClipBadges({ clip }: { clip: Clip }) {
  const badges = badgesOf(clip);
  if (badges.length === 0) return null;
  return (
    <span className="clip-badges">
      {badges.map(({ says, tone, icon, title }) => (
        <Badge key={says} className="clip-badge" color={toneColours[tone]} variant="soft" title={title}>
          {icon && <Icon name={icon} size={12} />}
          {says}
        </Badge>
      ))}
    </span>
  );
}
