// The videos of errors of a forwarding target: the switch, and what came of them.
import { type ForwardTarget, type ForwardVideos, forwardedVideosPerDayMax, textOf } from "@kit/contract";
import type { useForwardingTargetActions } from "../../api/use-forwarding.ts";
import { locale, t, translateMessage } from "../../language/language.ts";
import { SwitchField } from "../../ui/fields.tsx";
import { formatDateAndMinute } from "../../ui/format.ts";
import { Fact } from "../../ui/section.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";

type SwitchProps = { target: ForwardTarget; change: ReturnType<typeof useForwardingTargetActions>["change"] };

export function VideoSwitch({ target: { kind, videos, bucket }, change }: SwitchProps) {
  if (kind !== "sentry" && bucket === null)
    return <p>{t("A collector takes no videos. Kit can upload them if you name a bucket for them.")}</p>;
  return (
    <div>
      <SwitchField says={t("Send videos of errors")} on={videos} onChange={(on) => change.mutate({ videos: on })} />
      <p className="small quiet">
        {t(
          "A video shows your screen, with sound but without your microphone. Kit cannot remove names from it. At most {{number}} in 24 hours.",
          { number: forwardedVideosPerDayMax },
        )}
        {bucket !== null && (
          <>
            {" "}
            {t("Kit uploads videos to the bucket {{bucket}} at {{store}}.", {
              bucket: bucket.name,
              store: visibleLine(bucket.endpoint, 200),
            })}
            {!bucket.hasKeys && <> {t("No video is sent before you enter the keys of the bucket.")}</>}
          </>
        )}
      </p>
    </div>
  );
}

function videosText({ sent, waiting, unsent }: ForwardVideos): string {
  const number = (count: number) => count.toLocaleString(locale());
  return t("{{sent}} sent, {{waiting}} waiting, {{unsent}} not sent", {
    sent: number(sent),
    waiting: number(waiting),
    unsent: number(unsent),
  });
}

/** Returns why videos do not go out now; undefined if they do. */
function problemText({ stopped, waitsUntil, waitsBecause, lastError }: ForwardVideos): string | undefined {
  if (stopped !== null) return visibleText(translateMessage(stopped));
  if (waitsUntil === null) return undefined;
  const until = formatDateAndMinute(waitsUntil);
  if (waitsBecause === "rate-limit") return t("The server asked Kit to wait until {{until}}.", { until });
  const error = lastError === null ? "" : visibleText(translateMessage(lastError));
  return `${t("The last attempt failed. The next one is at {{until}}.", { until })} ${error}`.trim();
}

/** What the server answered is all that Kit knows: some trackers accept videos and throw them away. */
export function VideoFacts({ target: { videos, videoQueue } }: { target: ForwardTarget }) {
  if (videoQueue === null) return null;
  const { sent, waiting, unsent, unsentBecause } = videoQueue;
  if (!videos && sent + waiting + unsent === 0) return null;
  const problem = videos ? problemText(videoQueue) : undefined;
  return (
    <>
      <Fact name={t("Videos")}>
        {videosText(videoQueue)}
        {sent > 0 && (
          <span className="small quiet">
            {" "}
            {t("Sent: the server answered with success. Not every tracker keeps videos.")}
          </span>
        )}
      </Fact>
      {unsentBecause !== null && textOf(unsentBecause) !== "" && (
        <Fact name={t("Why the last one was not sent")}>{visibleText(translateMessage(unsentBecause))}</Fact>
      )}
      {problem !== undefined && (
        <Fact name={videoQueue.stopped === null ? t("Videos on hold") : t("Videos stopped")}>{problem}</Fact>
      )}
    </>
  );
}
