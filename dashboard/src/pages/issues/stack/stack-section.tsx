// The stack of a report, either parsed into frames or as the game sent it.
import type { IssueFrame, IssueReport } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { t } from "../../../language/language.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { SegmentedChoice } from "../../../ui/fields.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { PageSection } from "../../../ui/section.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { SourceForm } from "./source-form.tsx";
import { SourceLink } from "./source-link.tsx";
import { type FrameGroup, groupFrames, sourceLocation } from "./stack-frames.ts";

const stackViews = () => [
  { value: "read", says: t("Parsed") },
  { value: "sent", says: t("As sent") },
];

export function StackSection({ report, game }: { report: IssueReport; game: string | null }) {
  const [asSent, setAsSent] = useState(false);
  const isParsed = report.frames.length > 0;
  const { message, stackTrace } = report;
  return (
    <PageSection
      title={t("Stack")}
      end={
        <span className="cluster">
          {isParsed && (
            <SegmentedChoice
              size="1"
              label={t("Stack view")}
              choices={stackViews()}
              value={asSent ? "sent" : "read"}
              onChange={(view) => setAsSent(view === "sent")}
            />
          )}
          {stackTrace && <CopyButton text={stackTrace} label={t("Copy the stack as it was sent")} />}
        </span>
      }
    >
      {isParsed && !asSent ? (
        <Frames report={report} />
      ) : stackTrace ? (
        <LongText text={stackTrace} label={t("The stack as it was sent")} />
      ) : isParsed ? (
        <LongText text={message} label={t("Message that contains the stack")} />
      ) : (
        <p className="quiet">{t("The report had no stack, so it says what went wrong, but not where.")}</p>
      )}
      {isParsed && game !== null && <SourceForm game={game} />}
    </PageSection>
  );
}

function Frames({ report: { frames, framesTotal } }: { report: IssueReport }) {
  const hiddenCount = framesTotal - frames.length;
  return (
    <div className="box lines frames">
      {groupFrames(frames).map((group, index) => (
        // Groups have no id and never move, so their index is a stable key.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Group key={index} group={group} />
      ))}
      {hiddenCount > 0 && (
        <p className="frame-line small quiet">{t("and {{count, number}} more calls below", { count: hiddenCount })}</p>
      )}
    </div>
  );
}

function Group({ group: { inApp, frames } }: { group: FrameGroup }) {
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
    <ol className="lines frames-run" data-own={inApp}>
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their place, and never move
        <Frame key={index} frame={frame} />
      ))}
    </ol>
  );
}

const nameCharsMax = 300;
const locationCharsMax = 500;

function Frame({ frame }: { frame: IssueFrame }) {
  const location = sourceLocation(frame);
  const { function: name, text } = frame;
  return (
    <li className="frame-line" title={visibleLine(text, locationCharsMax)}>
      <bdi className="frame-name code">{name === null ? t("anonymous function") : visibleLine(name, nameCharsMax)}</bdi>
      <bdi className="code quiet">{visibleLine(location ?? (name === null ? text : ""), locationCharsMax)}</bdi>
      <SourceLink frame={frame} />
    </li>
  );
}
