// The Issues page: the list or one issue, with the dialogs and toasts of both.
import "./issues.css";
import type { Issue } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { Trans, t } from "../../language/language.ts";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Toast } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { IssueListPage } from "./issue-list-page.tsx";
import { IssuePage } from "./issue-page.tsx";
import { issueCountText, muteOptions, reportCountText } from "./issue-text.ts";
import { type DialogRequest, type IssueCommands, useIssueCommands } from "./use-issue-commands.ts";

type Props = { request: DialogRequest; commands: IssueCommands; onClose: () => void };

const idsOf = (issues: readonly Issue[]) => issues.map(({ id }) => id);

function IssueDialog({ request: { what, issues }, commands, onClose }: Props) {
  const props = { issues, commands, onClose };
  if (what === "mute") return <MuteDialog {...props} />;
  return what === "merge" ? <MergeDialog {...props} /> : <DeleteDialog {...props} />;
}

type QuestionProps = { issues: readonly Issue[]; commands: IssueCommands; onClose: () => void };

/** Shows the title of a single issue, or the number of several. */
function IssueNames({ issues }: { issues: readonly Issue[] }) {
  const [only, ...others] = issues;
  if (only === undefined || others.length > 0) return issueCountText(issues.length);
  return <bdi className="clamp">{visibleLine(only.title, 200)}</bdi>;
}

function MuteDialog({ issues, commands, onClose }: QuestionProps) {
  const title = useId();
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Mute for how long?")}</h2>
      <p>
        <Trans
          i18nKey="Kit keeps counting <about/>, but sends no alerts until then."
          components={{ about: <IssueNames issues={issues} /> }}
        />
      </p>
      <div className="stack tight">
        {muteOptions.map(({ says, change }) => (
          <Button
            key={says}
            variant="soft"
            onClick={() => {
              commands.mute(idsOf(issues), change(Date.now()));
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

function MergeDialog({ issues, commands, onClose }: QuestionProps) {
  const choice = useId();
  const oldest = issues.toSorted((a, b) => (a.firstSeen < b.firstSeen ? -1 : 1))[0];
  const [into, setInto] = useState(oldest?.id);
  const merge = () => {
    if (into === undefined) return;
    const others = idsOf(issues).filter((id) => id !== into);
    commands.merge(into, others);
  };
  return (
    <ConfirmDialog
      title={t("Merge {{issues}} into one", { issues: issueCountText(issues.length) })}
      confirmLabel={t("Merge")}
      color="iris"
      onConfirm={merge}
      onClose={onClose}
    >
      <p>
        {t(
          "The merged issue counts the reports of all these issues, including future ones. You can split each issue off again.",
        )}
      </p>
      <fieldset className="scroll merge-choices">
        <legend>{t("Issue to keep")}</legend>
        {issues.map((issue) => (
          <label key={issue.id}>
            <input type="radio" name={choice} checked={issue.id === into} onChange={() => setInto(issue.id)} />
            <bdi className="clamp">{visibleLine(issue.title, 200)}</bdi>
            <span className="small quiet">{reportCountText(issue.count)}</span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}

function DeleteDialog({ issues, commands, onClose }: QuestionProps) {
  return (
    <ConfirmDialog
      title={t("Delete permanently?")}
      confirmLabel={t("Delete permanently")}
      onConfirm={() => commands.remove(idsOf(issues))}
      onClose={onClose}
    >
      <p>
        <Trans
          i18nKey="<about/> and all stored reports will be deleted. This cannot be undone."
          components={{ about: <IssueNames issues={issues} /> }}
        />
      </p>
    </ConfirmDialog>
  );
}

/** Limits how often the page refetches: in a flood of errors, an issue changes many times a second. */
const refetchMs = 1_000;

export function IssuesPage({ open }: { open: string | undefined }) {
  useChanges(refetchMs);
  const [doneCount, setDoneCount] = useState(0);
  const { commands, done, clearDone, dialog, closeDialog, error } = useIssueCommands(
    useCallback(() => setDoneCount((before) => before + 1), []),
  );
  const lastOpen = useRef<string>(undefined);
  useEffect(() => {
    if (open !== undefined) lastOpen.current = open;
  }, [open]);
  return (
    <>
      {open === undefined ? (
        <IssueListPage commands={commands} error={error} from={lastOpen.current} doneCount={doneCount} />
      ) : (
        <IssuePage key={open} id={open} commands={commands} error={error} />
      )}
      {dialog && <IssueDialog request={dialog} commands={commands} onClose={closeDialog} />}
      <Toast done={done} onGone={clearDone} />
    </>
  );
}
