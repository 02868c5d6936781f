// The words and icons of a track's lanes.
import type { IconName } from "../frame/icon.tsx";
import type { Lane } from "./items.ts";

export const laneWords: Record<Lane, { one: string; many: string; icon: IconName }> = {
  clips: { one: "Clip", many: "Clips", icon: "film" },
  moments: { one: "Moment", many: "Moments", icon: "record" },
  errors: { one: "Error", many: "Errors", icon: "warning" },
  posts: { one: "Post", many: "Posts", icon: "megaphone" },
};
