// Details of a clip: notes, facts, the file path and the command line.

import type { Clip } from "@kit/contract";
import { t } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { formatBytes } from "../../../ui/format.ts";
import { gameName } from "../../../ui/game-name.ts";
import { Time } from "../../../ui/labels.tsx";
import { backendNames } from "../../../ui/recorder/recorder-text.ts";
import { Fact, IdFact, NotesSection, Section } from "../../../ui/section.tsx";
import { visibleText } from "../../../ui/visible-text.ts";

export function ClipFacts({ clip }: { clip: Clip }) {
  return (
    <>
      <NotesSection notes={clip.notes} />
      <Section title={t("Facts")}>
        <dl className="facts">
          <Fact name={t("Game")}>{gameName(clip.game, 100)}</Fact>
          <Fact name={t("Started")}>
            <Time at={clip.startedAt} date />
          </Fact>
          {clip.state === "saved" && <Footage clip={clip} />}
          <Fact name={t("Priority")}>{clip.priority}</Fact>
          {clip.trimmedFrom !== null && (
            <Fact name={t("Trimmed from")}>
              <a href={clipsAddress(clip.trimmedFrom)}>{t("The original clip")}</a>
            </Fact>
          )}
          {clip.path !== null && (
            <Fact name={t("File")}>
              <span className="code clip-path">{visibleText(clip.path)}</span>
            </Fact>
          )}
          <IdFact id={clip.id} />
        </dl>
      </Section>
      <Section title={t("In a terminal")}>
        <CommandLine command={`npx kit clip ${clip.id}`} />
      </Section>
    </>
  );
}

function Footage({ clip }: { clip: Clip }) {
  return (
    <>
      {clip.kind === "clip" && (
        <Fact name={t("Length")}>{t("{{seconds}} s", { seconds: clip.duration.toFixed(1) })}</Fact>
      )}
      {clip.width > 0 && (
        <Fact name={t("Picture")}>
          {clip.width} × {clip.height}
        </Fact>
      )}
      <Fact name={t("Size")}>{formatBytes(clip.bytes)}</Fact>
      {clip.backend !== null && <Fact name={t("Capture backend")}>{backendNames[clip.backend]}</Fact>}
    </>
  );
}
