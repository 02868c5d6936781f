// The Issues page: the list or one issue, with the dialogs and toasts of both.
import { useCallback, useEffect, useRef, useState } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { Toast } from "../../ui/toast.tsx";
import { IssueDialog } from "./issue-dialogs.tsx";
import { IssuePage } from "./issue-page.tsx";
import { IssueListPage } from "./list/issue-list-page.tsx";
import { useIssueCommands } from "./use-issue-commands.ts";
import "./issues.css";

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
