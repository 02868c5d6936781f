// The player: one clip with its moments, what is known of it, and what a person does with it.
import "../../ui/clips/player.css";
import { type Clip, clipTagsMax, KitError } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useClip } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { isVideo } from "../../ui/clips/clip-words.ts";
import { edgeOf, isLoopKey, isSingleKey, moveOf } from "../../ui/clips/player-keys.ts";
import { Stage } from "../../ui/clips/stage.tsx";
import { type Playback, usePlayback } from "../../ui/clips/use-playback.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/section.tsx";
import { useShortcutSwitch } from "../../ui/shortcuts.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { Chapters } from "./chapters.tsx";
import { ClipFacts } from "./clip-facts.tsx";
import { PlayerActions } from "./player-actions.tsx";
import { PlayerTitle } from "./player-title.tsx";
import { PlayerTools } from "./player-tools.tsx";
import { TagField } from "./tag-field.tsx";
import { TagList } from "./tag-list.tsx";
import { tagsChanged } from "./tags.ts";
import { useClipChange } from "./use-clip-actions.ts";
import type { ClipCommands } from "./use-clip-commands.ts";
import { type Part, usePartMarks } from "./use-trim.ts";

/** The tags of the clip that is open: written at once, said when the launcher refuses. */
function ClipTags({ clip }: { clip: Clip }) {
  const { mutate, error, isPending } = useClipChange();
  const place = useRef<HTMLDivElement>(null);
  const write = (tags: string[]) => mutate({ id: clip.id, tags });
  const full = clip.tags.length >= clipTagsMax;
  return (
    <Section title={t("Tags")}>
      <div className="clip-tag-editor" ref={place} aria-busy={isPending}>
        <TagList
          tags={clip.tags}
          label={t("Tags")}
          onRemove={(tag) => {
            write(tagsChanged(clip.tags, { remove: [tag] }));
            // Its button goes: the focus would be lost with it.
            place.current?.querySelector("input")?.focus();
          }}
        />
        {clip.tags.length === 0 && clip.deletedAt !== null && <p>{t("None")}</p>}
        <TagField taken={clip.tags} disabled={full} onAdd={(tag) => write(tagsChanged(clip.tags, { add: [tag] }))} />
        {full && <p className="tag-full">{t("A clip has {{count}} tags at most.", { count: clipTagsMax })}</p>}
        {error && (
          <p className="details-warning" role="alert">
            {error.message}
          </p>
        )}
      </div>
    </Section>
  );
}

type Props = { id: string; doing: ClipCommands; onClose: () => void };

const typing = "input:not([type=checkbox]), textarea, select";
const pressing = "button, a, summary, input[type=checkbox], [role=switch]";
const sliding = "[role=slider]";

/** Whether a key is the player's where the focus is: a field, a button and a handle keep those that are theirs. */
function isPlayers(event: KeyboardEvent, singleKeys: boolean): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element;
  if (target.closest("dialog") !== event.currentTarget.closest("dialog")) return false;
  if (target.closest(typing) !== null || (isSingleKey(event.key) && !singleKeys)) return false;
  if (target.closest(sliding) !== null && event.key.length > 1) return false;
  return !(event.key === " " && target.closest(pressing) !== null);
}

function useKeys({ go }: Playback, part: Part) {
  const [singleKeys] = useShortcutSwitch();
  return (event: KeyboardEvent) => {
    if (!isPlayers(event, singleKeys)) return;
    const move = moveOf(event.key);
    const edge = edgeOf(event.key);
    if (edge !== undefined) {
      if (!part.markHere(edge)) return;
    } else if (isLoopKey(event.key)) {
      part.setLoops(!part.loops);
    } else if (move === undefined || !go(move)) return;
    event.preventDefault();
    // Kept from the video: a focused one has keys of its own and would do the same once more.
    event.stopPropagation();
  };
}

export function Player({ id, doing, onClose }: Props) {
  const { data: clip, error } = useClip(id);
  const title = useId();
  const closeButton = useRef<HTMLButtonElement>(null);
  const playback = usePlayback(clip);
  const part = usePartMarks(clip, playback);
  const onKey = useKeys(playback, part);
  useEffect(() => {
    if (clip) document.title = t("{{title}} · Kit", { title: visibleLine(clip.title, 80) });
  }, [clip]);
  return (
    <Dialog className="player" labelledBy={title} onClose={onClose} focusFirst={closeButton}>
      <div className="player-body" onKeyDownCapture={onKey}>
        <header className="player-head">
          {clip ? (
            <PlayerTitle id={title} clip={clip} />
          ) : (
            <h2 id={title}>{error ? t("Not to be found") : t("Clip")}</h2>
          )}
          <IconButton
            ref={closeButton}
            variant="ghost"
            color="gray"
            aria-label={t("Close the player")}
            title={t("Close (Esc)")}
            onClick={onClose}
          >
            <Icon name="close" />
          </IconButton>
        </header>
        {error && !clip && <p className="player-trouble">{troubleOf(error)}</p>}
        {clip && <Body clip={clip} playback={playback} part={part} doing={doing} />}
      </div>
    </Dialog>
  );
}

function troubleOf(error: Error): string {
  const gone = error instanceof KitError && error.code === "not_found";
  return gone
    ? t("There is no clip at this address any more: it was removed for good, or never there.")
    : error.message;
}

type BodyProps = { clip: Clip; playback: Playback; part: Part; doing: ClipCommands };

function Body({ clip, playback, part, doing }: BodyProps) {
  return (
    <div className="player-columns">
      <div className="player-main">
        <Stage clip={clip} playback={playback} />
        {isVideo(clip) && <PlayerTools clip={clip} playback={playback} part={part} doing={doing} />}
        <PlayerActions clip={clip} doing={doing} />
      </div>
      <div className="player-side">
        <Chapters clip={clip} playback={playback} />
        <ClipTags clip={clip} />
        <ClipFacts clip={clip} />
      </div>
    </div>
  );
}
