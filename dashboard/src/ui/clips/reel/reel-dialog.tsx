// The dialog that makes a reel of clips: order, seconds and title of each part.
import { clipSmallPosterFile, useRefetchClips } from "../../../api/use-clips.ts";
import "./reel.css";
import { type Clip, makeReel, reelPartsMax } from "@kit/contract";
import { Button, IconButton, TextField } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useClient } from "../../../api/session.ts";
import { t } from "../../../language/language.ts";
import { Dialog } from "../../dialog.tsx";
import { ErrorText } from "../../error-text.tsx";
import { NumberQuestion, Select, SwitchField } from "../../fields.tsx";
import { formatClock, formatDay } from "../../format.ts";
import { Icon, type IconName } from "../../icon.tsx";
import { visibleLine } from "../../visible-text.ts";
import { clipTitle, clipTitleCharsMax } from "../clip-text.ts";
import { SmallPicture } from "../clip-tile.tsx";
import { type DraftPart, draftOf, lengthOf, movePart, rangeAround, reelRequest, secondsOf } from "./reel-parts.ts";

const wholeClips = "whole";
const lengths = ["5", "10", "15", "20", "30"] as const;
type Length = (typeof lengths)[number] | typeof wholeClips;

type Props = {
  clips: readonly Clip[];
  /** The title at first; by default one with the day. */
  titled?: string | undefined;
  onMade: (reel: Clip) => void;
  onClose: () => void;
};

export function ReelDialog({ clips, titled, onMade, onClose }: Props) {
  const id = useId();
  const titleId = useId();
  const [parts, setParts] = useState<readonly DraftPart[]>(() => draftOf(clips));
  const [title, setTitle] = useState(
    () => titled ?? t("Best of {{day}}", { day: formatDay(parts[0]?.clip.startedAt ?? "") }),
  );
  const [length, setLength] = useState<Length>(wholeClips);
  const [fades, setFades] = useState(false);
  const client = useClient();
  const refetchClips = useRefetchClips();
  const make = useMutation({
    mutationFn: () => client.call(makeReel, { body: reelRequest(title, parts, fades) }),
    onSuccess: onMade,
    onSettled: refetchClips,
  });
  const seconds = lengthOf(parts);
  const isReady = seconds !== undefined && parts.length > 0 && parts.length <= reelPartsMax && title.trim() !== "";
  const chooseLength = (chosen: Length) => {
    setLength(chosen);
    setParts(parts.map((part) => rangeAround(part, chosen === wholeClips ? undefined : Number(chosen))));
  };
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (isReady) make.mutate();
  };
  return (
    <Dialog className="panel roomy reel-dialog" labelledBy={id} onClose={onClose}>
      <h2 id={id}>{t("Make a reel")}</h2>
      <form className="stack" onSubmit={onSubmit}>
        <div className="cluster">
          <label className="stack tight reel-title" htmlFor={titleId}>
            <span className="small">{t("Title of the reel")}</span>
            <TextField.Root
              id={titleId}
              value={title}
              maxLength={clipTitleCharsMax}
              onChange={({ target }) => setTitle(target.value)}
            />
          </label>
          <Select
            label={t("Length of each part")}
            choices={[
              { value: wholeClips, says: t("Whole clips") },
              ...lengths.map((value) => ({ value, says: t("{{seconds}} s around the moment", { seconds: value }) })),
            ]}
            value={length}
            onChange={chooseLength}
          />
        </div>
        <PartList parts={parts} onChange={setParts} />
        <SwitchField
          says={t("Fade between the parts. All parts are encoded again, which takes longer.")}
          on={fades}
          onChange={setFades}
        />
        {parts.length > reelPartsMax && (
          <p className="error">{t("A reel can have at most {{count}} parts.", { count: reelPartsMax })}</p>
        )}
        <ErrorText error={make.error} />
        <div className="panel-end">
          <p className="small quiet" role="status">
            {seconds === undefined
              ? t("Check the seconds: each part needs at least 0.5 s of its clip.")
              : t("{{count}} parts, {{length}}", {
                  count: parts.length,
                  length: formatClock(seconds),
                  defaultValue_one: "{{count}} part, {{length}}",
                })}
          </p>
          <Button type="button" variant="soft" color="gray" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button type="submit" disabled={!isReady || make.isPending}>
            {t("Make the reel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ListProps = { parts: readonly DraftPart[]; onChange: (parts: readonly DraftPart[]) => void };

function PartList({ parts, onChange }: ListProps) {
  const [dragged, setDragged] = useState<string>();
  const [says, setSays] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<string>(undefined);
  // A moved element loses the focus, so it gets it back.
  useEffect(() => {
    const name = focused.current;
    focused.current = undefined;
    if (name !== undefined) list.current?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`)?.focus();
  });
  const move = (id: string, to: number, focus?: string) => {
    const next = movePart(parts, id, to);
    if (next === parts) return;
    focused.current = focus;
    const title = visibleLine(next[to]?.title ?? "", 80);
    setSays(t("{{title}} is now part {{place}} of {{count}}.", { title, place: to + 1, count: parts.length }));
    onChange(next);
  };
  return (
    <>
      <p className="unseen" role="status">
        {says}
      </p>
      <ol className="scroll reel-parts" ref={list} aria-label={t("Parts in their order")}>
        {parts.map((part, index) => (
          <li
            key={part.clip.id}
            draggable
            data-dragged={dragged === part.clip.id}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              setDragged(part.clip.id);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              if (dragged !== part.clip.id) move(dragged, index);
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(undefined)}
          >
            <PartRow
              part={part}
              onMove={(by, focus) => move(part.clip.id, index + by, focus)}
              isFirst={index === 0}
              isLast={index === parts.length - 1}
              onChange={(change) => onChange(parts.map((one) => (one === part ? { ...one, ...change } : one)))}
              onRemove={parts.length > 1 ? () => onChange(parts.filter((one) => one !== part)) : undefined}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

type RowProps = {
  part: DraftPart;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1, focus: string) => void;
  onChange: (change: Partial<DraftPart>) => void;
  onRemove: (() => void) | undefined;
};

function PartRow({ part, isFirst, isLast, onMove, onChange, onRemove }: RowProps) {
  const title = visibleLine(clipTitle(part.clip), 80);
  const invalid = secondsOf(part) === undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onMove(event.key === "ArrowUp" ? -1 : 1, `title ${part.clip.id}`);
  };
  const button = (icon: IconName, label: string, name: string, ends: boolean, onClick: () => void) => (
    <IconButton
      type="button"
      size="1"
      variant="soft"
      color="gray"
      data-focus={`${name} ${part.clip.id}`}
      aria-disabled={ends}
      aria-label={t("{{action}}: {{title}}", { action: label, title })}
      title={label}
      onClick={ends ? undefined : onClick}
    >
      <Icon name={icon} size={14} />
    </IconButton>
  );
  const seconds = (name: "from" | "to", label: string) => (
    <TextField.Root
      className="number-field"
      size="1"
      inputMode="decimal"
      aria-label={t("{{action}}: {{title}}", { action: label, title })}
      title={label}
      aria-invalid={invalid}
      value={part[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  );
  return (
    <div className="cluster tight reel-part">
      <SmallPicture key={part.clip.id} file={clipSmallPosterFile(part.clip)} />
      <div className="stack tight reel-part-words">
        <TextField.Root
          size="1"
          data-focus={`title ${part.clip.id}`}
          aria-label={t("Title of the part: {{title}}", { title })}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          title={t("Move with Alt+Up and Alt+Down")}
          value={part.title}
          maxLength={clipTitleCharsMax}
          onChange={({ target }) => onChange({ title: target.value })}
          onKeyDown={onKeyDown}
        />
        <span className="cluster tight small">
          {seconds("from", t("From second"))}
          <span aria-hidden="true">–</span>
          {seconds("to", t("End, in seconds"))}
          <span className="quiet">{t("of {{seconds}} s", { seconds: part.clip.duration.toFixed(1) })}</span>
        </span>
        <NumberQuestion typed={part.from} onChoose={(from) => onChange({ from })} />
        <NumberQuestion typed={part.to} onChoose={(to) => onChange({ to })} />
      </div>
      <span className="cluster tight">
        {button("up", t("Move up"), "up", isFirst, () => onMove(-1, `up ${part.clip.id}`))}
        {button("down", t("Move down"), "down", isLast, () => onMove(1, `down ${part.clip.id}`))}
        {button("close", t("Remove from the reel"), "remove", onRemove === undefined, () => onRemove?.())}
      </span>
    </div>
  );
}
