// `kit clip ID`: shows one clip, or changes, trims, deletes, restores or reveals it.

import { type Client, type Clip, changeClip, deleteClip, getClip, restoreClip, revealClip } from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandContext,
  command,
  Flag,
  hiddenFlag,
  negatedFlag,
  parameter,
  parsedFlag,
  textFlag,
  toggleFlag,
} from "../command.ts";
import { createFieldPrinter, escapeInvisible, formatBytes, formatDuration, print, say } from "../output.ts";
import { clipRemarks } from "./clips.ts";
import { clipRange, trimAndWait } from "./export-clip.ts";

/** A flag that can be given several times. */
const repeated = (flags: string, description: string) =>
  parsedFlag<readonly string[]>(flags, description, (given, before = []) => [...before, given]);

const clipFlags = {
  pin: new Flag<boolean | undefined>(
    ...toggleFlag("--pin", "never delete it to free up space").options,
    ...negatedFlag("--no-pin", "allow deleting it to free up space").options,
  ),
  rename: textFlag("--rename <text>", "the new title; with --trim, the title of the trimmed clip"),
  title: hiddenFlag(textFlag("--title <text>", "the same as --rename")),
  tag: repeated("--tag <tag>", "add a tag; repeatable"),
  untag: repeated("--untag <tag>", "remove a tag; repeatable"),
  shared: toggleFlag("--shared", "mark it as shared; shared clips are kept longer"),
  trim: parsedFlag("--trim <from-to>", "make a shorter clip from it, e.g. 3.5-12 or 0:03-1:02", clipRange),
  reveal: toggleFlag("--reveal", "show the file in the file manager, and print its path"),
  delete: toggleFlag("--delete", "move it to the trash"),
  restore: toggleFlag("--restore", "restore it from the trash"),
};
type ClipFlags = CommandContext<typeof clipFlags>["flags"];

const tagKey = (tag: string) => tag.normalize("NFC").toLowerCase();

function mergeTags({ tags }: Clip, { tag = [], untag = [] }: ClipFlags): string[] {
  const [added, removed] = [tag, untag].map((all) => new Set(all.map(tagKey)));
  return [...tags.filter((each) => !added?.has(tagKey(each)) && !removed?.has(tagKey(each))), ...tag];
}

async function applyChanges(client: Client, id: string, flags: ClipFlags): Promise<void> {
  const { pin, shared, title, rename = title, tag, untag } = flags;
  const params = { id };
  const isTagged = tag !== undefined || untag !== undefined;
  const body = {
    ...(pin !== undefined && { pinned: pin }),
    ...(shared !== undefined && { shared }),
    ...(rename !== undefined && { title: rename }),
    ...(isTagged && { tags: mergeTags(await client.call(getClip, { params }), flags) }),
  };
  await client.call(changeClip, { params, body });
}

function printClip(clip: Clip): void {
  const line = createFieldPrinter(12);
  line("id", clip.id);
  line("title", say(clip.titleMessage ?? clip.title));
  line("game", clip.game ?? "unsorted");
  line("kind", clip.kind === "marker" ? "a marker, without video" : `a ${clip.kind}, ${clip.state}`);
  line("tags", clip.tags.join(", "));
  line("trimmed from", clip.trimmedFrom);
  line("notes", clipRemarks(clip));
  line("began", clip.startedAt);
  if (clip.state === "saved") {
    line("length", clip.kind === "clip" ? `${formatDuration(clip.duration)} (${clip.duration.toFixed(2)} s)` : null);
    line("picture", `${clip.width} × ${clip.height}, ${formatBytes(clip.bytes)}, captured by ${clip.backend}`);
  }
  line("file", clip.path);
  for (const { offset, label, id } of clip.events)
    line("event", `${formatDuration(Math.max(0, offset))}  ${label}  ${id}`);
  if (clip.deletedAt !== null) line("trash", `deleted ${clip.deletedAt}; undo: kit clip ${clip.id} --restore`);
}

type Action = "change" | "trim" | "delete" | "restore" | "reveal";

/**
 * Returns what the flags ask for; undefined if the clip is only shown. Throws InvalidSetting if they ask for several actions.
 */
function requestedAction(flags: ClipFlags): Action | undefined {
  const isTrim = flags.trim !== undefined;
  const changes = [flags.pin, flags.shared, flags.rename, flags.title, flags.tag, flags.untag];
  const isRequested: Record<Action, boolean> = {
    // With --trim, --title is the title of the new clip and changes nothing.
    change: !isTrim && changes.some((flag) => flag !== undefined),
    trim: isTrim,
    delete: flags.delete === true,
    restore: flags.restore === true,
    reveal: flags.reveal === true,
  };
  const actions = (Object.keys(isRequested) as Action[]).filter((action) => isRequested[action]);
  if (actions.length > 1) throw new InvalidSetting(`Use only one of these at a time: ${actions.join(", ")}.`);
  const [action] = actions;
  return action;
}

export const clipCommand = command("clip", "Show a clip; rename, tag, pin, trim, delete or restore it", {
  group: "players",
  parameters: [parameter("<id>", "a clip's id, from `kit clips`")],
  flags: clipFlags,
  async run({ client, flags, json }, id) {
    const params = { id };
    switch (requestedAction(flags)) {
      case "reveal": {
        const clip = await client.call(getClip, { params });
        // The path is printed first, because it is still useful if no file manager opens.
        if (!json && clip.path !== null) print(escapeInvisible(clip.path));
        await client.call(revealClip, { params });
        return json ? answer(clip, printClip) : undefined;
      }
      case "delete":
        await client.call(deleteClip, { params, query: {} });
        if (!json) return answer(undefined, `Moved to the trash. Undo: kit clip ${escapeInvisible(id)} --restore`);
        break;
      case "restore":
        await client.call(restoreClip, { params });
        break;
      case "change":
        await applyChanges(client, id, flags);
        break;
      default:
    }
    const trimmed = flags.trim && (await trimAndWait(client, id, flags.trim, flags.rename ?? flags.title));
    return answer(trimmed ?? (await client.call(getClip, { params })), printClip);
  },
});
