// The panel that trims a clip: the selected range, the strip that shows it, a preview, and the form that saves the
// range.
import { type Clip, trimClip } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  type FormEvent,
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useClient } from "../../../api/session.ts";
import { t } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { clipTitle, clipTitleCharsMax, clipToasts, isSavedVideo } from "../../../ui/clips/clip-text.ts";
import { scrollIntoDialog } from "../../../ui/dialog.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { formatExactClock, spokenPosition } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import {
  clipTiming,
  edgePositionByKey,
  moveTrimEdge,
  percentOf,
  setTrimEdge,
  type TrimEdge,
  type TrimRange,
  trimSecondsMin,
} from "../../../ui/player/trim-range.ts";
import type { Playback } from "../../../ui/player/use-playback.ts";
import { parseGalleryFilter, toGalleryQuery } from "../clip-filter.ts";
import type { ClipCommands } from "../use-clip-commands.ts";

export type TrimState = {
  /** The selected range; undefined while the clip is not being trimmed. */
  readonly range: TrimRange | undefined;
  readonly duration: number;
  readonly frameSeconds: number;
  readonly loops: boolean;
  setLoops(loops: boolean): void;
  /** Starts trimming with the whole clip selected, or stops trimming. */
  toggle(): void;
  /** Moves an edge of the range to a second of the clip, and shows the frame there. */
  moveTo(edge: TrimEdge, seconds: number): void;
  /** Moves an edge of the range to the playback position. Returns false if the clip cannot be trimmed. */
  markHere(edge: TrimEdge): boolean;
};

export function useTrimState(clip: Clip | undefined, playback: Playback): TrimState {
  const [range, setRange] = useState<TrimRange>();
  const [loops, setLoops] = useState(false);
  const { video, showAt } = playback;
  const footage = useMemo(() => clipTiming(clip ?? { duration: 0, frameRate: null }), [clip]);
  const { duration, frameSeconds } = footage;
  const can = clip !== undefined && isSavedVideo(clip) && clip.deletedAt === null && duration > trimSecondsMin;
  const whole = useMemo(() => ({ from: 0, to: duration }), [duration]);
  const toggle = useCallback(() => setRange((now) => (now === undefined && can ? whole : undefined)), [can, whole]);
  const moveTo = useCallback(
    (edge: TrimEdge, seconds: number) => {
      const next = moveTrimEdge(range ?? whole, edge, seconds, footage);
      setRange(next);
      showAt(next[edge]);
    },
    [range, whole, footage, showAt],
  );
  const markHere = useCallback(
    (edge: TrimEdge) => {
      const at = video.current?.currentTime;
      if (!can || at === undefined) return false;
      setRange((now) => setTrimEdge(now ?? whole, edge, at, footage));
      return true;
    },
    [can, video, whole, footage],
  );
  return { range, duration, frameSeconds, loops, setLoops, toggle, moveTo, markHere };
}

type TrimPanelProps = { clip: Clip; playback: Playback; trim: TrimState; range: TrimRange; commands: ClipCommands };

/** Creates the trimmed clip and opens its page, which shows the progress. */
function useTrim(clip: Clip, commands: ClipCommands) {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ range: { from, to }, title }: { range: TrimRange; title: string }) =>
      client.call(trimClip, {
        params: { id: clip.id },
        body: { fromSeconds: from, toSeconds: to, ...(title === "" ? {} : { title }) },
      }),
    onSuccess: (made: Clip) => {
      queryClient.setQueryData(["clips", "one", made.id], made);
      void queryClient.invalidateQueries({ queryKey: ["clips", "list"] });
      commands.say(clipToasts.partAsked());
      location.hash = clipsAddress(made.id, toGalleryQuery(parseGalleryFilter(location.hash)));
    },
  });
}

/** Trims the open clip: its selected range, a preview, and the form that saves the range as a new clip. */
export function TrimPanel({ clip, playback, trim, range, commands }: TrimPanelProps) {
  const length = range.to - range.from;
  return (
    <section ref={scrollIntoDialog} className="card player-panel" aria-label={t("Trim")}>
      <TrimStrip clip={clip} playback={playback} trim={trim} range={range} />
      <p className="part-says numbers" role="status">
        {t("{{from}} to {{to}}: {{seconds}} s", {
          from: formatExactClock(range.from),
          to: formatExactClock(range.to),
          seconds: length.toFixed(2),
        })}
      </p>
      <div className="cluster tight">
        <Button variant="soft" color="gray" title={t("Key: I")} onClick={() => trim.markHere("from")}>
          {t("Start here")}
        </Button>
        <Button variant="soft" color="gray" title={t("Key: O")} onClick={() => trim.markHere("to")}>
          {t("End here")}
        </Button>
        <Button variant="soft" onClick={() => playback.playFrom(range.from)}>
          <Icon name="play" size={14} />
          {t("Play the selection")}
        </Button>
      </div>
      <SaveForm clip={clip} range={range} commands={commands} />
    </section>
  );
}

function SaveForm({ clip, range, commands }: { clip: Clip; range: TrimRange; commands: ClipCommands }) {
  const name = useId();
  const [title, setTitle] = useState(() =>
    t("{{title}} (trimmed)", { title: clipTitle(clip) }).slice(0, clipTitleCharsMax),
  );
  const { mutate, isPending, error } = useTrim(clip, commands);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    mutate({ range, title: title.trim() });
  };
  return (
    <form className="stack tight" onSubmit={onSubmit}>
      <label htmlFor={name}>{t("Name of the new clip")}</label>
      <span className="cluster tight inline-form">
        <TextField.Root
          id={name}
          value={title}
          maxLength={clipTitleCharsMax}
          onChange={({ target }) => setTitle(target.value)}
        />
        <Button type="submit" disabled={isPending}>
          {t("Save as a new clip")}
        </Button>
      </span>
      <p className="small quiet">{t("The original clip stays unchanged.")}</p>
      <ErrorText error={error} />
    </form>
  );
}

type Props = { clip: Clip; playback: Playback; trim: TrimState; range: TrimRange };

/** The clip's timeline with the selected range, a handle at each end, and the playback position. */
function TrimStrip({ clip, playback, trim, range }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const { duration } = trim;
  const left = percentOf(range.from, duration);
  const right = percentOf(range.to, duration);
  const secondAt = ({ clientX }: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect();
    return box === undefined || box.width === 0 ? 0 : ((clientX - box.left) / box.width) * duration;
  };
  return (
    <div className="part-strip">
      <div
        ref={strip}
        className="part-line"
        // Only for the pointer: the player's keys do the same for keyboard users.
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) playback.showAt(Math.max(0, Math.min(secondAt(event), duration)));
        }}
      >
        <span className="part-chosen" style={{ left: `${left}%`, width: `${right - left}%` }} />
        {clip.events.map(({ id, kind, offset }) => (
          <span key={id} className="part-moment" data-kind={kind} style={{ left: `${percentOf(offset, duration)}%` }} />
        ))}
        <PlayHead playback={playback} duration={duration} />
        <Handle edge="from" trim={trim} range={range} secondAt={secondAt} says={t("Start of the selection")} />
        <Handle edge="to" trim={trim} range={range} secondAt={secondAt} says={t("End of the selection")} />
      </div>
    </div>
  );
}

type HandleProps = {
  edge: TrimEdge;
  trim: TrimState;
  range: TrimRange;
  secondAt: (event: PointerEvent) => number;
  says: string;
};

function Handle({ edge, trim: { duration, frameSeconds, moveTo }, range, secondAt, says }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = edgePositionByKey(range, edge, { key: event.key, shift: event.shiftKey }, frameSeconds);
    if (place === undefined) return;
    event.preventDefault();
    moveTo(edge, place);
  };
  return (
    <div
      className="part-handle"
      role="slider"
      tabIndex={0}
      data-edge={edge}
      aria-label={says}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={range[edge]}
      aria-valuetext={t("at {{position}}", { position: spokenPosition(range[edge]) })}
      title={formatExactClock(range[edge])}
      style={{ left: `${percentOf(range[edge], duration)}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(edge, secondAt(event));
      }}
    />
  );
}

/**
 * Draws the playback position. Changes the DOM directly, because rendering with React 60 times a second would be
 * expensive.
 */
function PlayHead({ playback: { video }, duration }: { playback: Playback; duration: number }) {
  const head = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const at = percentOf(video.current?.currentTime ?? 0, duration);
      if (head.current) head.current.style.left = `${at}%`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [video, duration]);
  return <span ref={head} className="part-head" />;
}
