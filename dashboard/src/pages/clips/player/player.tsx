// The player: one clip with its moments, details and actions.
import "./player.css";
import { type Clip, type ClipMoment, clipTagsMax, KitError } from "@kit/contract";
import { IconButton } from "@radix-ui/themes";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { useClip } from "../../../api/use-clips.ts";
import { Trans, t } from "../../../language/language.ts";
import { clipsAddress, rowAddress } from "../../../ui/address.ts";
import { clipTitle, isPlayable, isSavedVideo, momentCountText } from "../../../ui/clips/clip-text.ts";
import { CommandLine } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatBytes, formatClock, spokenDuration } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { KindLabel, Time, UntrustedText } from "../../../ui/labels.tsx";
import { gameName } from "../../../ui/names.ts";
import { useTitle } from "../../../ui/page.tsx";
import { edgeOfKey, isLoopKey, isSingleKey, moveOfKey, outputOfKey } from "../../../ui/player/player-keys.ts";
import { CropFrame, PlayerStage } from "../../../ui/player/player-stage.tsx";
import { type Playback, usePlayback } from "../../../ui/player/use-playback.ts";
import { backendNames } from "../../../ui/recorder/recorder-text.ts";
import { Fact, IdFact, NoteList, Section } from "../../../ui/section.tsx";
import { useShortcutSwitch } from "../../../ui/shortcuts.tsx";
import { visibleLine, visibleText } from "../../../ui/visible-text.ts";
import { TagField, TagList } from "../tag-field.tsx";
import { applyTagChange } from "../tags.ts";
import { type ClipCommands, useClipChange } from "../use-clip-commands.ts";
import { type PlayerOutput, usePlayerOutput } from "./player-output.ts";
import { PlayerTitle } from "./player-title.tsx";
import { PlayerActions, PlayerTools } from "./player-tools.tsx";
import { type TrimState, useTrimState } from "./trim-panel.tsx";

/** Folded, because few people need them. */
function Notes({ notes }: Pick<Clip, "notes">) {
  if (notes.length === 0) return null;
  return (
    <details className="small clip-notes">
      <summary>{t("{{count}} notes", { count: notes.length, defaultValue_one: "{{count}} note" })}</summary>
      <NoteList notes={notes} />
    </details>
  );
}

/** Details of a clip: notes, facts, the file path and the command line. */
function ClipFacts({ clip }: { clip: Clip }) {
  return (
    <>
      <Notes notes={clip.notes} />
      <Section title={t("Facts")}>
        <dl className="facts">
          <Fact name={t("Game")}>{gameName(clip.game, 100)}</Fact>
          <Fact name={t("Started")}>
            <Time at={clip.startedAt} date />
          </Fact>
          {isSavedVideo(clip) && (
            <Fact name={t("Length")}>{t("{{seconds}} s", { seconds: clip.duration.toFixed(1) })}</Fact>
          )}
          {clip.state === "saved" && <Fact name={t("Size")}>{formatBytes(clip.bytes)}</Fact>}
          {clip.trimmedFrom !== null && (
            <Fact name={t("Trimmed from")}>
              <a href={clipsAddress(clip.trimmedFrom)}>{t("The original clip")}</a>
            </Fact>
          )}
        </dl>
      </Section>
      <TechnicalFacts clip={clip} />
    </>
  );
}

/** Folded, because a player needs none of it. */
function TechnicalFacts({ clip }: { clip: Clip }) {
  return (
    <details className="small clip-technical">
      <summary>{t("Details")}</summary>
      <dl className="facts">
        {clip.width > 0 && (
          <Fact name={t("Picture")}>
            {clip.width} × {clip.height}
          </Fact>
        )}
        {clip.backend !== null && <Fact name={t("Capture backend")}>{backendNames[clip.backend]}</Fact>}
        <Fact name={t("Priority")}>{clip.priority}</Fact>
        {clip.path !== null && (
          <Fact name={t("File")}>
            <span className="code clip-path">{visibleText(clip.path)}</span>
          </Fact>
        )}
        <IdFact id={clip.id} />
      </dl>
      <CommandLine command={`kit clip ${clip.id}`} />
    </details>
  );
}

function ChapterList({ clip, playback }: { clip: Clip; playback: Playback }) {
  if (clip.events.length === 0) return null;
  const plays = isPlayable(clip) && clip.kind === "clip";
  return (
    <Section title={clip.events.length === 1 ? t("Moment") : momentCountText(clip.events.length)}>
      <ol className="scroll chapters" aria-label={t("Moments in order of time")}>
        {clip.events.map((moment, index) => (
          <li key={moment.id} data-current={plays && playback.begun && index === playback.chapter}>
            <Chapter moment={moment} onPlay={plays ? () => playback.playFrom(moment.offset) : undefined} />
            <a className="small" href={rowAddress(moment.id)} title={t("See the outcome in Live")}>
              <Trans
                i18nKey="Receipt<more> of <moment /></more>"
                components={{
                  more: <span className="unseen" />,
                  moment: <UntrustedText text={visibleLine(moment.label, 80)} />,
                }}
              />
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The parts of a reel. Each is a chapter of its file. */
function PartList({ clip, playback }: { clip: Clip; playback: Playback }) {
  const { parts = [] } = clip;
  if (parts.length === 0) return null;
  const plays = isPlayable(clip);
  return (
    <Section title={t("{{count}} parts", { count: parts.length, defaultValue_one: "{{count}} part" })}>
      <ol className="scroll chapters" aria-label={t("Parts of the reel")}>
        {parts.map(({ clip: source, title, offset }) => (
          <li key={offset}>
            <PartLine
              title={visibleLine(title, 200)}
              offset={offset}
              onPlay={plays && (() => playback.playFrom(offset))}
            />
            <a className="small" href={clipsAddress(source)}>
              {t("The clip")}
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function PartLine({ title, offset, onPlay }: { title: string; offset: number; onPlay: false | (() => void) }) {
  const label = <bdi className="chapter-label ellipsis">{title}</bdi>;
  if (!onPlay) return <span className="chapter">{label}</span>;
  return (
    <button type="button" className="chapter" onClick={onPlay}>
      <span className="chapter-offset numbers">
        <span aria-hidden="true">{formatClock(offset)}</span>
        <span className="unseen">{t("Play from {{position}}:", { position: spokenDuration(offset) })}</span>
      </span>
      {label}
    </button>
  );
}

function Chapter({ moment, onPlay }: { moment: ClipMoment; onPlay: (() => void) | undefined }) {
  const says = visibleLine(moment.label, 200);
  const label = (
    <bdi className="chapter-label ellipsis" title={says}>
      {says}
    </bdi>
  );
  if (onPlay === undefined) {
    return (
      <span className="chapter">
        <Time at={moment.at} />
        <KindLabel kind={moment.kind} />
        {label}
      </span>
    );
  }
  return (
    <button type="button" className="chapter" onClick={onPlay}>
      <span className="chapter-offset numbers">
        <span aria-hidden="true">{formatClock(moment.offset)}</span>
        <span className="unseen">{t("Play from {{position}}:", { position: spokenDuration(moment.offset) })}</span>
      </span>
      <KindLabel kind={moment.kind} />
      {label}
    </button>
  );
}

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

type Props = {
  id: string;
  commands: ClipCommands;
  /** Shown inside the dialog, because a modal dialog covers everything else and lets nobody click there. */
  toast: ReactNode;
  onClose: () => void;
};

/** Where the crop frame for a vertical copy is at first. */
const middle = 0.5;
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

function useKeys({ go }: Playback, trim: TrimState, output: PlayerOutput) {
  const [singleKeys] = useShortcutSwitch();
  return (event: KeyboardEvent) => {
    if (!isPlayerKey(event, singleKeys)) return;
    const move = moveOfKey(event.key);
    const edge = edgeOfKey(event.key);
    const taken = outputOfKey(event.key);
    if (taken !== undefined) {
      if (taken === "copy") output.copyFile();
      else output.saveFrame();
    } else if (edge !== undefined) {
      if (!trim.markHere(edge)) return;
    } else if (isLoopKey(event.key)) {
      trim.setLoops(!trim.loops);
    } else if (move === undefined || !go(move)) return;
    event.preventDefault();
    // Keeps the focused video element from handling the key as well.
    event.stopPropagation();
  };
}

export function Player({ id, commands, toast, onClose }: Props) {
  const { data: clip, error } = useClip(id);
  const title = useId();
  const closeButton = useRef<HTMLButtonElement>(null);
  const playback = usePlayback(clip);
  const trim = useTrimState(clip, playback);
  const output = usePlayerOutput(clip, playback, commands);
  const onKey = useKeys(playback, trim, output);
  useTitle(clip && t("{{title}} · Kit", { title: visibleLine(clipTitle(clip), 80) }));
  return (
    <Dialog className="player" labelledBy={title} asksBeforeLoss={false} onClose={onClose} focusFirst={closeButton}>
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
        {clip && <Body clip={clip} playback={playback} trim={trim} output={output} commands={commands} />}
      </div>
      {toast}
    </Dialog>
  );
}

function errorText(error: Error): string {
  const gone = error instanceof KitError && error.code === "not_found";
  return gone ? t("This clip was deleted permanently or never existed.") : error.message;
}

type BodyProps = {
  clip: Clip;
  playback: Playback;
  trim: TrimState;
  output: PlayerOutput;
  commands: ClipCommands;
};

function Body({ clip, playback, trim, output, commands }: BodyProps) {
  const [position, setPosition] = useState(middle);
  const [isCropping, setCropping] = useState(false);
  const crop = isCropping && clip.width > 0 && <CropFrame picture={clip} position={position} onMove={setPosition} />;
  return (
    <div className="player-columns">
      <div className="stack">
        <PlayerStage clip={clip} playback={playback} over={crop} />
        {isSavedVideo(clip) && (
          <PlayerTools
            clip={clip}
            playback={playback}
            trim={trim}
            output={output}
            position={position}
            onCrop={setCropping}
            commands={commands}
          />
        )}
        <PlayerActions clip={clip} range={trim.range} output={output} commands={commands} />
      </div>
      <div className="player-side">
        <PartList clip={clip} playback={playback} />
        <ChapterList clip={clip} playback={playback} />
        <ClipTags clip={clip} />
        <ClipFacts clip={clip} />
      </div>
    </div>
  );
}
