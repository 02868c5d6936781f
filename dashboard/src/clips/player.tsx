// The player: one clip with its moments, what is known of it, and what a person does with it.
import { type Clip, KitError } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { useShortcutSwitch } from "../live/shortcuts.ts";
import { visibleLine } from "../live/visible-text.ts";
import { Chapters } from "./chapters.tsx";
import type { CardActions } from "./clip-card.tsx";
import { ClipFacts } from "./clip-facts.tsx";
import { PlayerActions } from "./player-actions.tsx";
import { isSingleKey, moveOf, type PlayerMove } from "./player-keys.ts";
import { PlayerTitle } from "./player-title.tsx";
import { Stage } from "./stage.tsx";
import { useClip } from "./use-clips.ts";
import { type Playback, usePlayback } from "./use-playback.ts";
import "./player.css";

type Props = { id: string; actions: CardActions; onClose: () => void };

const typing = "input, textarea, select";
const pressing = "button, a, summary";

/** The move a key means where the focus is; a field and a button keep those keys that are theirs. */
function moveIn(event: KeyboardEvent, singleKeys: boolean): PlayerMove | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = event.target as Element;
  if (target.closest(typing) !== null || (isSingleKey(event.key) && !singleKeys)) return undefined;
  if (event.key === " " && target.closest(pressing) !== null) return undefined;
  return moveOf(event.key);
}

function useKeys({ go }: Playback) {
  const [singleKeys] = useShortcutSwitch();
  return (event: KeyboardEvent) => {
    const move = moveIn(event, singleKeys);
    if (move === undefined || !go(move)) return;
    event.preventDefault();
    // Kept from the video: a focused one has keys of its own and would do the same once more.
    event.stopPropagation();
  };
}

export function Player({ id, actions, onClose }: Props) {
  const { data: clip, error } = useClip(id);
  const title = useId();
  const closeButton = useRef<HTMLButtonElement>(null);
  const playback = usePlayback(clip);
  const onKey = useKeys(playback);
  useEffect(() => {
    if (clip) document.title = `${visibleLine(clip.title, 80)} · Kit`;
  }, [clip]);
  return (
    <Dialog className="player" labelledBy={title} onClose={onClose} focusFirst={closeButton}>
      <div className="player-body" onKeyDownCapture={onKey}>
        <header className="player-head">
          {clip ? <PlayerTitle id={title} clip={clip} /> : <h2 id={title}>{error ? "Not to be found" : "Clip"}</h2>}
          <IconButton
            ref={closeButton}
            variant="ghost"
            color="gray"
            aria-label="Close the player"
            title="Close (Esc)"
            onClick={onClose}
          >
            <Icon name="close" />
          </IconButton>
        </header>
        {error && !clip && <p className="player-trouble">{troubleOf(error)}</p>}
        {clip && <Body clip={clip} playback={playback} actions={actions} />}
      </div>
    </Dialog>
  );
}

function troubleOf(error: Error): string {
  const gone = error instanceof KitError && error.code === "not_found";
  return gone ? "There is no clip at this address any more: it was removed for good, or never there." : error.message;
}

function Body({ clip, playback, actions }: { clip: Clip; playback: Playback; actions: CardActions }) {
  return (
    <div className="player-columns">
      <div className="player-main">
        <Stage clip={clip} playback={playback} />
        <PlayerActions clip={clip} actions={actions} />
      </div>
      <div className="player-side">
        <Chapters clip={clip} playback={playback} />
        <ClipFacts clip={clip} />
      </div>
    </div>
  );
}
