// The questions before a step: mute for how long, merge into which one, remove for good or not.
import type { Issue } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId, useState } from "react";
import { Trans, t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { issuesWord, reportsWord } from "../../ui/issues/issue-measures.ts";
import { muteChoices } from "../../ui/issues/issue-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import type { Asked, IssueCommands } from "./use-issue-commands.ts";

type Props = { asked: Asked; doing: IssueCommands; onClose: () => void };

const idsOf = (issues: readonly Issue[]) => issues.map(({ id }) => id);

export function AskedDialog({ asked: { what, issues }, doing, onClose }: Props) {
  const given = { issues, doing, onClose };
  if (what === "mute") return <MuteDialog {...given} />;
  return what === "merge" ? <MergeDialog {...given} /> : <RemoveDialog {...given} />;
}

type QuestionProps = { issues: readonly Issue[]; doing: IssueCommands; onClose: () => void };

/** The one it is about, or how many. */
function About({ issues }: { issues: readonly Issue[] }) {
  const [only, ...others] = issues;
  if (only === undefined || others.length > 0) return issuesWord(issues.length);
  return <bdi className="issue-clamped">{visibleLine(only.title, 200)}</bdi>;
}

function MuteDialog({ issues, doing, onClose }: QuestionProps) {
  const title = useId();
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Mute for how long?")}</h2>
      <p>
        <Trans
          i18nKey="<about/> is counted on, and nobody is told until then."
          components={{ about: <About issues={issues} /> }}
        />
      </p>
      <div className="mute-choices">
        {muteChoices.map(({ says, change }) => (
          <Button
            key={says}
            variant="soft"
            onClick={() => {
              doing.mute(idsOf(issues), change(Date.now()));
              onClose();
            }}
          >
            {says}
          </Button>
        ))}
      </div>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
      </div>
    </Dialog>
  );
}

function MergeDialog({ issues, doing, onClose }: QuestionProps) {
  const ids = { title: useId(), choice: useId() };
  const oldest = issues.toSorted((a, b) => (a.firstSeen < b.firstSeen ? -1 : 1))[0];
  const [into, setInto] = useState(oldest?.id);
  const merge = () => {
    if (into !== undefined)
      doing.merge(
        into,
        idsOf(issues).filter((id) => id !== into),
      );
    onClose();
  };
  return (
    <Dialog className="panel" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>{t("Merge {{issues}} into one", { issues: issuesWord(issues.length) })}</h2>
      <p>
        {t("Their counts go together, and so does all that comes of their kinds later. Each can be split off again.")}
      </p>
      <fieldset className="merge-choices">
        <legend>{t("The one that stays")}</legend>
        {issues.map((issue) => (
          <label key={issue.id}>
            <input type="radio" name={ids.choice} checked={issue.id === into} onChange={() => setInto(issue.id)} />
            <bdi className="issue-clamped">{visibleLine(issue.title, 200)}</bdi>
            <span>{reportsWord(issue.count)}</span>
          </label>
        ))}
      </fieldset>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button onClick={merge}>{t("Merge")}</Button>
      </div>
    </Dialog>
  );
}

function RemoveDialog({ issues, doing, onClose }: QuestionProps) {
  const title = useId();
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Remove for good?")}</h2>
      <p>
        <Trans
          i18nKey="<about/> and all reports kept with it will be gone. This cannot be undone."
          components={{ about: <About issues={issues} /> }}
        />
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Keep it")}
        </Button>
        <Button
          color="ruby"
          onClick={() => {
            doing.remove(idsOf(issues));
            onClose();
          }}
        >
          {t("Remove for good")}
        </Button>
      </div>
    </Dialog>
  );
}
