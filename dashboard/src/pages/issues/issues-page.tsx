// The Issues page: the list, or one issue; what is done in either is said in the same place.
import { useCallback, useEffect, useRef, useState } from "react";
import { useChanges } from "../../api/use-changes.ts";
import { Toast } from "../../ui/toast.tsx";
import { AskedDialog } from "./asked-dialog.tsx";
import { IssueListPage } from "./issue-list-page.tsx";
import { IssuePage } from "./issue-page.tsx";
import { useIssueCommands } from "./use-issue-commands.ts";
import "../../ui/clips/clips.css";
import "../../ui/list-page.css";
import "./issues.css";

/** In a storm an issue changes many times a second. */
const everyMs = 1_000;

export function IssuesPage({ open }: { open: string | undefined }) {
  useChanges(everyMs);
  const [steps, setSteps] = useState(0);
  const { doing, done, forget, asked, close, error } = useIssueCommands(
    useCallback(() => setSteps((before) => before + 1), []),
  );
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (open !== undefined) last.current = open;
  }, [open]);
  return (
    <>
      {open === undefined ? (
        <IssueListPage doing={doing} error={error} from={last.current} steps={steps} />
      ) : (
        <IssuePage key={open} id={open} doing={doing} error={error} />
      )}
      {asked && <AskedDialog asked={asked} doing={doing} onClose={close} />}
      <Toast done={done} onGone={forget} />
    </>
  );
}
