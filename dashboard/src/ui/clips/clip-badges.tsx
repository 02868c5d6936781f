// The badges and tags of a clip.
import type { Clip } from "@kit/contract";
import { Badge } from "@radix-ui/themes";
import { Icon } from "../icon.tsx";
import { toneColours } from "../labels.tsx";
import { visibleLine } from "../visible-text.ts";
import { clipBadges } from "./clip-text.ts";

/** Maximum tags of a clip that a card shows. */
const tagsMax = 3;

export function ClipBadges({ clip }: { clip: Clip }) {
  const badges = clipBadges(clip);
  const tags = clip.tags.slice(0, tagsMax);
  if (badges.length + tags.length === 0) return null;
  return (
    <span className="cluster tight">
      {badges.map(({ says, tone, icon, title }) => (
        <Badge key={says} className="state" color={toneColours[tone]} variant="soft" title={title}>
          {icon && <Icon name={icon} size={12} />}
          {says}
        </Badge>
      ))}
      {tags.map((tag) => (
        <bdi key={tag} className="clip-tag ellipsis">
          {visibleLine(tag, 24)}
        </bdi>
      ))}
      {clip.tags.length > tagsMax && <span className="clip-tag ellipsis">+{clip.tags.length - tagsMax}</span>}
    </span>
  );
}
