// What is known of a clip: what is not as it was asked for, the facts, where the file lies, the command line.
import type { Clip } from "@kit/contract";
import { CommandLine } from "../frame/command-line.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { Time } from "../live/labels.tsx";
import { Fact, Section } from "../live/section.tsx";
import { visibleLine, visibleText } from "../live/visible-text.ts";
import { backendWords } from "../recorder/words.ts";
import { sizeOf } from "./measures.ts";

export function ClipFacts({ clip }: { clip: Clip }) {
  return (
    <>
      {clip.notes.length > 0 && (
        <Section title="Notes">
          <ul className="notes">
            {clip.notes.map((note) => (
              <li key={note}>
                <bdi>{visibleText(note)}</bdi>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Facts">
        <dl className="facts">
          <Fact name="Game">{clip.game === null ? "Unsorted" : visibleLine(clip.game, 100)}</Fact>
          <Fact name="Began">
            <Time at={clip.startedAt} date />
          </Fact>
          {clip.state === "saved" && <Footage clip={clip} />}
          <Fact name="Priority">{clip.priority}</Fact>
          {clip.path !== null && (
            <Fact name="File">
              <span className="clip-path">{visibleText(clip.path)}</span>
            </Fact>
          )}
          <div className="fact">
            <dt>Id</dt>
            <dd className="fact-id">
              <code>{clip.id}</code>
              <CopyButton text={clip.id} label="Copy the id" />
            </dd>
          </div>
        </dl>
      </Section>
      <Section title="In a terminal">
        <CommandLine command={`npx kit clip ${clip.id}`} />
      </Section>
    </>
  );
}

function Footage({ clip }: { clip: Clip }) {
  return (
    <>
      {clip.kind === "clip" && <Fact name="Length">{clip.duration.toFixed(1)} s</Fact>}
      {clip.width > 0 && (
        <Fact name="Picture">
          {clip.width} × {clip.height}
        </Fact>
      )}
      <Fact name="Size">{sizeOf(clip.bytes)}</Fact>
      {clip.backend !== null && <Fact name="Captured by">{backendWords[clip.backend]}</Fact>}
    </>
  );
}
