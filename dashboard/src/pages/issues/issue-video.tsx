// The clip of an error, paused at the error. If there is no clip, the reason.
import type { Clip, IssueReport } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useClipsOfEvent } from "../../api/use-clips.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress, issuesAddress, recorderAddress } from "../../ui/address.ts";
import { isMarker, isPlayable } from "../../ui/clips/clip-text.ts";
import { Icon } from "../../ui/icon.tsx";
import { PlayerStage } from "../../ui/player/player-stage.tsx";
import { usePlayback } from "../../ui/player/use-playback.ts";
import { PageSection } from "../../ui/section.tsx";
import { visibleText } from "../../ui/visible-text.ts";

type Props = {
  issue: string;
  report: IssueReport;
  /** Event id of another stored report of this issue that has a clip. */
  recordedReport: string | undefined;
  query: string;
};

/** Sorts clips that can be played first, then screenshots that can be shown, markers last. */
const clipRank = (clip: Clip) => (isPlayable(clip) ? (clip.kind === "clip" ? 0 : 1) : isMarker(clip) ? 3 : 2);

const bestClip = (clips: readonly Clip[] | undefined) => clips?.toSorted((a, b) => clipRank(a) - clipRank(b))[0];

/** Shows the video of the report. If it has none, shows the video of another report of the issue, and says so. */
export function IssueVideo({ issue, report, recordedReport, query }: Props) {
  const { data, error } = useClipsOfEvent(report.event, "");
  const clip = bestClip(data?.clips);
  if (data === undefined && error === null) return null;
  if (recordedReport !== undefined && !(clip && isPlayable(clip))) {
    return <OtherVideo issue={issue} event={recordedReport} query={query} />;
  }
  return (
    <PageSection title={t("Video")} end={clip && !isMarker(clip) && <ClipLink clip={clip} />}>
      {clip ? <Footage key={clip.id} clip={clip} event={report.event} /> : <NoFootage />}
    </PageSection>
  );
}

const ClipLink = ({ clip }: { clip: Clip }) => <a href={clipsAddress(clip.id)}>{t("Open the clip")}</a>;

function OtherVideo({ issue, event, query }: { issue: string; event: string; query: string }) {
  const clip = bestClip(useClipsOfEvent(event, "").data?.clips);
  if (clip === undefined) return null;
  return (
    <PageSection title={t("Video of another report")} end={<ClipLink clip={clip} />}>
      <p className="quiet">
        {t("This report has no video of its own.")}{" "}
        <a href={issuesAddress(issue, query === "" ? `event=${event}` : `${query}&event=${event}`)}>
          {t("Show that report")}
        </a>
      </p>
      <Footage key={clip.id} clip={clip} event={event} />
    </PageSection>
  );
}

const shortSeconds = 3;
const longSeconds = 10;
/**
 * The clip is paused at least this long before its end, because some browsers show nothing at the very end of a file.
 */
const endMarginSeconds = 0.1;

function Footage({ clip, event }: { clip: Clip; event: string }) {
  const playback = usePlayback(clip);
  const offset = clip.events.find(({ id }) => id === event)?.offset ?? 0;
  const errorSeconds = Math.max(0, Math.min(offset, clip.duration - endMarginSeconds));
  const hasVideo = isPlayable(clip) && clip.kind === "clip";
  const playButton = (seconds: number) => (
    <Button variant="soft" onClick={() => playback.playFrom(Math.max(0, errorSeconds - seconds))}>
      <Icon name="play" size={14} />
      {t("{{seconds}} seconds before", { seconds })}
    </Button>
  );
  return (
    <>
      <PlayerStage clip={clip} playback={playback} startAt={errorSeconds} />
      {hasVideo && (
        <div className="cluster">
          {playButton(shortSeconds)}
          {errorSeconds > shortSeconds && playButton(longSeconds)}
          <Button variant="soft" color="gray" onClick={() => playback.showAt(errorSeconds)}>
            {t("At the error")}
          </Button>
        </div>
      )}
    </>
  );
}

function NoFootage() {
  const recorder = useRecorder().data?.state;
  const isWorking = recorder === undefined || (recorder.state !== "off" && recorder.state !== "broken");
  return (
    <div className="with-icon issue-no-video">
      <Icon name="film" size={20} />
      <div>
        <p>{t("No video for this report.")}</p>
        <p className="quiet">
          {isWorking
            ? t("While the recorder runs, Kit saves the seconds before the first error of each issue.")
            : visibleText(translateMessage(recorder.detail))}
        </p>
        <a href={recorderAddress}>{t("Open the recorder")}</a>
      </div>
    </div>
  );
}
