// What a person does with the clip that is open: keep it, take it along, delete it.
import type { Clip } from "@kit/contract";
import { Button, Kbd } from "@radix-ui/themes";
import { CopyButton } from "../frame/copy-button.tsx";
import { Icon } from "../frame/icon.tsx";
import type { CardActions } from "./clip-card.tsx";
import { downloadAddress } from "./media.ts";
import { playerKeys } from "./player-keys.ts";
import { isPlayable } from "./words.ts";

export function PlayerActions({ clip, actions }: { clip: Clip; actions: CardActions }) {
  return (
    <>
      <div className="player-actions">
        {clip.deletedAt === null ? (
          <KeptActions clip={clip} actions={actions} />
        ) : (
          <BinActions clip={clip} actions={actions} />
        )}
      </div>
      {isPlayable(clip) && clip.kind === "clip" && <Keys />}
    </>
  );
}

function KeptActions({ clip, actions }: { clip: Clip; actions: CardActions }) {
  return (
    <>
      {isPlayable(clip) && (
        <Button asChild>
          <a href={downloadAddress(clip)} download>
            <Icon name="download" size={14} />
            Download
          </a>
        </Button>
      )}
      {clip.state === "saved" && (
        <Button
          variant="soft"
          color={clip.pinned ? "iris" : "gray"}
          aria-pressed={clip.pinned}
          title="Pinned clips are never removed to make room"
          onClick={() => actions.onPin(clip)}
        >
          <Icon name="pin" size={14} />
          {clip.pinned ? "Pinned" : "Pin"}
        </Button>
      )}
      {clip.path !== null && <CopyButton text={clip.path} label="Copy the file's path" shows="Copy path" size="2" />}
      {clip.state !== "pending" && (
        <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => actions.onDelete(clip)}>
          <Icon name="bin" size={14} />
          Delete
        </Button>
      )}
    </>
  );
}

function BinActions({ clip, actions }: { clip: Clip; actions: CardActions }) {
  return (
    <>
      <p>It lies in the bin.</p>
      <Button onClick={() => actions.onRestore(clip)}>
        <Icon name="undo" size={14} />
        Take back
      </Button>
      <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => actions.onRemove(clip)}>
        Remove for good
      </Button>
    </>
  );
}

function Keys() {
  return (
    <details className="player-keys">
      <summary>Keys</summary>
      <dl>
        {playerKeys.map(({ keys, says }) => (
          <div key={says}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
