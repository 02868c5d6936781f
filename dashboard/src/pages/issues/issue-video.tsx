// The seconds before the error, where they were recorded: the picture stands at the error. Where there is none, why.
import type { Clip, IssueReport } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useClipsOfEvent } from "../../api/use-clips.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { clipsAddress, issuesAddress, recorderAddress } from "../../ui/address.ts";
import { isMarker, isPlayable } from "../../ui/clips/clip-words.ts";
import { Stage } from "../../ui/clips/stage.tsx";
import { usePlayback } from "../../ui/clips/use-playback.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { PageSection } from "./page-section.tsx";
import "../../ui/clips/player.css";
import { t, translateMessage } from "../../language/language.ts";

type Props = {
  issue: string;
  report: IssueReport;
  /** Another kept report of the issue that has one. */
  filmed: string | undefined;
  query: string;
};

/** What can be played goes before what cannot, a picture before a marker. */
const rankOf = (clip: Clip) => (isPlayable(clip) ? (clip.kind === "clip" ? 0 : 1) : isMarker(clip) ? 3 : 2);

export function IssueVideo({ issue, report, filmed, query }: Props) {
  const { data, error } = useClipsOfEvent(report.event, "");
  const clip = data?.clips.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  if (data === undefined && error === null) return null;
  return (
    <PageSection
      title={t("Video")}
      end={
        clip &&
        !isMarker(clip) && (
          <a className="issue-quiet-link" href={clipsAddress(clip.id)}>
            {t("Open the clip")}
          </a>
        )
      }
    >
      {clip ? <Footage key={clip.id} clip={clip} event={report.event} /> : <NoFootage />}
      {filmed !== undefined && !(clip && isPlayable(clip)) && (
        <p className="issue-none">
          <a href={issuesAddress(issue, query === "" ? `event=${filmed}` : `${query}&event=${filmed}`)}>
            {t("Another report of this issue has a video")}
          </a>
        </p>
      )}
    </PageSection>
  );
}

const shortSeconds = 3;
const longSeconds = 10;
/** The very end of a file shows nothing in some browsers. */
const beforeEndSeconds = 0.1;

function Footage({ clip, event }: { clip: Clip; event: string }) {
  const playback = usePlayback(clip);
  const offset = clip.events.find(({ id }) => id === event)?.offset ?? 0;
  const atError = Math.max(0, Math.min(offset, clip.duration - beforeEndSeconds));
  const plays = isPlayable(clip) && clip.kind === "clip";
  const back = (seconds: number) => (
    <Button variant="soft" onClick={() => playback.playFrom(Math.max(0, atError - seconds))}>
      <Icon name="play" size={14} />
      {t("{{seconds}} seconds before", { seconds })}
    </Button>
  );
  return (
    <>
      <Stage clip={clip} playback={playback} startAt={atError} />
      {plays && (
        <div className="player-actions">
          {back(shortSeconds)}
          {atError > shortSeconds && back(longSeconds)}
          <Button variant="soft" color="gray" onClick={() => playback.showAt(atError)}>
            {t("At the error")}
          </Button>
        </div>
      )}
    </>
  );
}

function NoFootage() {
  const recorder = useRecorder().data?.state;
  const works = recorder === undefined || (recorder.state !== "off" && recorder.state !== "broken");
  return (
    <div className="issue-no-video">
      <Icon name="film" size={20} />
      <div>
        <p>{t("No video of this report.")}</p>
        <p className="issue-none">
          {works
            ? t("Kit keeps the seconds before the first error of each kind while the recorder runs.")
            : visibleText(translateMessage(recorder.detail))}{" "}
          <a href={recorderAddress}>{t("To the recorder")}</a>
        </p>
      </div>
    </div>
  );
}
