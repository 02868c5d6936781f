// The badges and tags of a clip.
import type { Clip } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { Icon } from "../icon.tsx";
import { toneColours } from "../labels.tsx";
import { visibleLine } from "../visible-text.ts";
import { clipBadges } from "./clip-text.ts";

/** Maximum tags shown on a card. */
const tagsMax = 3;

export function ClipBadges({ clip }: { clip: Clip }) {
  const badges = clipBadges(clip);
  const tags = clip.tags.slice(0, tagsMax);
  if (badges.length + tags.length === 0) return null;
  return (
    <span className="clip-badges">
      {badges.map(({ says, tone, icon, title }) => (
        <Badge key={says} className="clip-badge" color={toneColours[tone]} variant="soft" title={title}>
          {icon && <Icon name={icon} size={12} />}
          {says}
        </Badge>
      ))}
      {tags.map((tag) => (
        <bdi key={tag} className="clip-tag">
          {visibleLine(tag, 24)}
        </bdi>
      ))}
      {clip.tags.length > tagsMax && <span className="clip-tag">+{clip.tags.length - tagsMax}</span>}
    </span>
  );
}
