// The player: one clip with its moments, details and actions.
import "./player.css";
import { type Clip, clipTagsMax, KitError } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, useId, useRef } from "react";
import { useClip } from "../../../api/use-clips.ts";
import { t } from "../../../language/language.ts";
import { isSavedVideo } from "../../../ui/clips/clip-text.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useTitle } from "../../../ui/page.tsx";
import { edgeOfKey, isLoopKey, isSingleKey, moveOfKey } from "../../../ui/player/player-keys.ts";
import { PlayerStage } from "../../../ui/player/player-stage.tsx";
import { type Playback, usePlayback } from "../../../ui/player/use-playback.ts";
import { Section } from "../../../ui/section.tsx";
import { useShortcutSwitch } from "../../../ui/shortcuts.ts";
import { visibleLine } from "../../../ui/visible-text.ts";
import { TagField } from "../tags/tag-field.tsx";
import { TagList } from "../tags/tag-list.tsx";
import { applyTagChange } from "../tags/tags.ts";
import { useClipChange } from "../use-clip-actions.ts";
import type { ClipCommands } from "../use-clip-commands.ts";
import { ChapterList } from "./chapters.tsx";
import { ClipFacts } from "./clip-facts.tsx";
import { PlayerActions } from "./player-actions.tsx";
import { PlayerTitle } from "./player-title.tsx";
import { PlayerTools } from "./player-tools.tsx";
import { type TrimState, useTrimState } from "./use-trim.ts";

/** Shows the open clip's tags and lets a person change them. Each change is saved at once. */
function ClipTags({ clip }: { clip: Clip }) {
  const { mutate, error, isPending } = useClipChange();
  const place = useRef<HTMLDivElement>(null);
  const write = (tags: string[]) => mutate({ id: clip.id, tags });
  const full = clip.tags.length >= clipTagsMax;
  return (
    <Section title={t("Tags")}>
      <div className="stack tight" ref={place} aria-busy={isPending}>
        <TagList
          tags={clip.tags}
          label={t("Tags")}
          onRemove={(tag) => {
            write(applyTagChange(clip.tags, { remove: [tag] }));
            // The pressed button disappears, so the focus moves to the text field.
            place.current?.querySelector("input")?.focus();
          }}
        />
        {clip.tags.length === 0 && clip.deletedAt !== null && <p>{t("None")}</p>}
        <TagField taken={clip.tags} disabled={full} onAdd={(tag) => write(applyTagChange(clip.tags, { add: [tag] }))} />
        {full && <p className="small quiet">{t("A clip can have at most {{count}} tags.", { count: clipTagsMax })}</p>}
        <ErrorText error={error} />
      </div>
    </Section>
  );
}

type Props = { id: string; commands: ClipCommands; onClose: () => void };

const typing = "input:not([type=checkbox]), textarea, select";
const pressing = "button, a, summary, input[type=checkbox], [role=switch]";
const sliding = "[role=slider]";

/** Whether the player handles a key. It does not if the focused field, button or slider needs the key itself. */
function isPlayerKey(event: KeyboardEvent, singleKeys: boolean): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const target = event.target as Element;
  if (target.closest("dialog") !== event.currentTarget.closest("dialog")) return false;
  if (target.closest(typing) !== null || (isSingleKey(event.key) && !singleKeys)) return false;
  if (target.closest(sliding) !== null && event.key.length > 1) return false;
  return !(event.key === " " && target.closest(pressing) !== null);
}

function useKeys({ go }: Playback, trim: TrimState) {
  const [singleKeys] = useShortcutSwitch();
  return (event: KeyboardEvent) => {
    if (!isPlayerKey(event, singleKeys)) return;
    const move = moveOfKey(event.key);
    const edge = edgeOfKey(event.key);
    if (edge !== undefined) {
      if (!trim.markHere(edge)) return;
    } else if (isLoopKey(event.key)) {
      trim.setLoops(!trim.loops);
    } else if (move === undefined || !go(move)) return;
    event.preventDefault();
    // Keeps the focused video element from handling the key as well.
    event.stopPropagation();
  };
}

export function Player({ id, commands, onClose }: Props) {
  const { data: clip, error } = useClip(id);
  const title = useId();
  const closeButton = useRef<HTMLButtonElement>(null);
  const playback = usePlayback(clip);
  const trim = useTrimState(clip, playback);
  const onKey = useKeys(playback, trim);
  useTitle(clip && t("{{title}} · Kit", { title: visibleLine(clip.title, 80) }));
  return (
    <Dialog className="player" labelledBy={title} onClose={onClose} focusFirst={closeButton}>
      <div className="player-body" onKeyDownCapture={onKey}>
        <header className="spread">
          {clip ? <PlayerTitle id={title} clip={clip} /> : <h2 id={title}>{error ? t("Not found") : t("Clip")}</h2>}
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
        {error && !clip && <p className="error">{errorText(error)}</p>}
        {clip && <Body clip={clip} playback={playback} trim={trim} commands={commands} />}
      </div>
    </Dialog>
  );
}

function errorText(error: Error): string {
  const gone = error instanceof KitError && error.code === "not_found";
  return gone ? t("This clip was deleted permanently or never existed.") : error.message;
}

type BodyProps = { clip: Clip; playback: Playback; trim: TrimState; commands: ClipCommands };

function Body({ clip, playback, trim, commands }: BodyProps) {
  return (
    <div className="player-columns">
      <div className="stack">
        <PlayerStage clip={clip} playback={playback} />
        {isSavedVideo(clip) && <PlayerTools clip={clip} playback={playback} trim={trim} commands={commands} />}
        <PlayerActions clip={clip} commands={commands} />
      </div>
      <div className="player-side">
        <ChapterList clip={clip} playback={playback} />
        <ClipTags clip={clip} />
        <ClipFacts clip={clip} />
      </div>
    </div>
  );
}
