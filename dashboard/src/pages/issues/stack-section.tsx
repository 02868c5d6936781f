// A report's stack: the game's own calls in full, the others folded between them; or the text as it was sent.
import type { IssueFrame, IssueReport } from "@kit/contract";
import { Button, SegmentedControl } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../../language/language.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { SourceForm } from "../../ui/source/source-form.tsx";
import { SourceLink } from "../../ui/source/source-link.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { type FrameRun, frameRuns, placeOf } from "./frames.ts";
import { PageSection } from "./page-section.tsx";

export function StackSection({ report, game }: { report: IssueReport; game: string | null }) {
  const [asSent, setAsSent] = useState(false);
  const isRead = report.frames.length > 0;
  const { message, stackTrace } = report;
  return (
    <PageSection
      title={t("Stack")}
      end={
        <span className="issue-section-end">
          {isRead && (
            <SegmentedControl.Root
              size="1"
              aria-label={t("How the stack is shown")}
              value={asSent ? "sent" : "read"}
              onValueChange={(value) => setAsSent(value === "sent")}
            >
              <SegmentedControl.Item value="read">{t("Parsed")}</SegmentedControl.Item>
              <SegmentedControl.Item value="sent">{t("As sent")}</SegmentedControl.Item>
            </SegmentedControl.Root>
          )}
          {stackTrace && <CopyButton text={stackTrace} label={t("Copy the stack as it was sent")} />}
        </span>
      }
    >
      {isRead && !asSent ? (
        <Frames report={report} />
      ) : stackTrace ? (
        <LongText text={stackTrace} label={t("The stack as it was sent")} />
      ) : isRead ? (
        <LongText text={message} label={t("The message the stack stands in")} />
      ) : (
        <p className="issue-none">{t("The report had no stack, so it says what went wrong, but not where.")}</p>
      )}
      {isRead && game !== null && <SourceForm game={game} />}
    </PageSection>
  );
}

function Frames({ report: { frames, framesTotal } }: { report: IssueReport }) {
  const deeper = framesTotal - frames.length;
  return (
    <div className="frames">
      {frameRuns(frames).map((run, index) => (
        // Runs have no identity but their place, and never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Run key={index} run={run} />
      ))}
      {deeper > 0 && <p className="frames-deeper">{t("and {{count, number}} more below these", { count: deeper })}</p>}
    </div>
  );
}

function Run({ run: { inApp, frames } }: { run: FrameRun }) {
  const [open, setOpen] = useState(inApp);
  if (!open) {
    return (
      <Button className="frames-folded" size="1" variant="ghost" color="gray" onClick={() => setOpen(true)}>
        {t("{{count, number}} calls of the engine and its libraries", {
          count: frames.length,
          defaultValue_one: "1 call of the engine and its libraries",
        })}
      </Button>
    );
  }
  return (
    <ol className="frames-run" data-own={inApp}>
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their place, and never move
        <Frame key={index} frame={frame} />
      ))}
    </ol>
  );
}

const nameCharsMax = 300;
const placeCharsMax = 500;

function Frame({ frame }: { frame: IssueFrame }) {
  const place = placeOf(frame);
  const { function: name, text } = frame;
  return (
    <li className="frame-line" title={visibleLine(text, placeCharsMax)}>
      <bdi className="frame-name">
        {name === null ? t("a function without a name") : visibleLine(name, nameCharsMax)}
      </bdi>
      <bdi className="frame-place">{visibleLine(place ?? (name === null ? text : ""), placeCharsMax)}</bdi>
      <SourceLink frame={frame} />
    </li>
  );
}
