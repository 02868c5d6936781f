// What is known of a clip: what is not as it was asked for, the facts, where the file lies, the command line.

import type { Clip } from "@kit/contract";
import { clipsAddress } from "../frame/address.ts";
import { CommandLine } from "../frame/command-line.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { t, told } from "../language/language.ts";
import { gameWord } from "../live/game-word.ts";
import { Time } from "../live/labels.tsx";
import { Fact, Section } from "../live/section.tsx";
import { visibleText } from "../live/visible-text.ts";
import { backendWords } from "../recorder/words.ts";
import { sizeOf } from "./measures.ts";

export function ClipFacts({ clip }: { clip: Clip }) {
  return (
    <>
      {clip.notes.length > 0 && (
        <Section title={t("Notes")}>
          <ul className="notes">
            {clip.notes.map((note) => (
              <li key={note}>
                <bdi>{visibleText(told(note))}</bdi>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t("Facts")}>
        <dl className="facts">
          <Fact name={t("Game")}>{gameWord(clip.game, 100)}</Fact>
          <Fact name={t("Began")}>
            <Time at={clip.startedAt} date />
          </Fact>
          {clip.state === "saved" && <Footage clip={clip} />}
          <Fact name={t("Priority")}>{clip.priority}</Fact>
          {clip.trimmedFrom !== null && (
            <Fact name={t("Part of")}>
              <a href={clipsAddress(clip.trimmedFrom)}>{t("The clip it was made of")}</a>
            </Fact>
          )}
          {clip.path !== null && (
            <Fact name={t("File")}>
              <span className="clip-path">{visibleText(clip.path)}</span>
            </Fact>
          )}
          <div className="fact">
            <dt>{t("Id")}</dt>
            <dd className="fact-id">
              <code>{clip.id}</code>
              <CopyButton text={clip.id} label={t("Copy the id")} />
            </dd>
          </div>
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
      <Fact name={t("Size")}>{sizeOf(clip.bytes)}</Fact>
      {clip.backend !== null && <Fact name={t("Captured by")}>{backendWords[clip.backend]}</Fact>}
    </>
  );
}
