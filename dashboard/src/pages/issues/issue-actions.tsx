// What a person does with the issue that is open: say what becomes of it, take it along, delete it.
import { type IssueDetail, issueMarkdown } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { issuesAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { IssueCommands } from "./use-issue-commands.ts";

type Props = { detail: IssueDetail; doing: IssueCommands };

/** A file that is made here: nothing is asked of the launcher, and nothing leaves this machine. */
function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export function IssueActions({ detail, doing }: Props) {
  const { issue } = detail;
  const ids = [issue.id];
  return (
    <div className="issue-actions">
      {issue.deletedAt === null ? (
        <StateActions detail={detail} doing={doing} />
      ) : (
        <>
          <p>{t("It lies in the bin, and is still counted.")}</p>
          <Button onClick={() => doing.restore(ids)}>
            <Icon name="undo" size={14} />
            {t("Take back")}
          </Button>
        </>
      )}
      <CopyButton text={issueMarkdown(detail)} label={t("Copy the issue as Markdown")} shows="Copy Markdown" size="2" />
      <Button
        variant="soft"
        color="gray"
        onClick={() => download(`kit-issue-${issue.id}.json`, `${JSON.stringify(detail, null, 2)}\n`)}
      >
        <Icon name="download" size={14} />
        {t("JSON")}
      </Button>
      <CopyButton
        text={`${location.origin}/${issuesAddress(issue.id)}`}
        label={t("Copy a link to the issue")}
        shows="Copy link"
        size="2"
      />
      {issue.deletedAt === null ? (
        <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => doing.discard(ids)}>
          <Icon name="bin" size={14} />
          {t("Delete")}
        </Button>
      ) : (
        <Button className="player-actions-end" variant="soft" color="ruby" onClick={() => doing.ask("remove", [issue])}>
          {t("Remove for good")}
        </Button>
      )}
    </div>
  );
}

function StateActions({ detail: { issue }, doing }: Props) {
  const ids = [issue.id];
  const isOpen = issue.state === "open" || issue.state === "regressed";
  return (
    <>
      {isOpen ? (
        <Button onClick={() => doing.resolve(ids)}>
          <Icon name="check" size={14} />
          {t("Resolve")}
        </Button>
      ) : (
        <Button onClick={() => doing.reopen(ids)}>
          <Icon name="undo" size={14} />
          {t("Open again")}
        </Button>
      )}
      {issue.state === "muted" && (
        <Button variant="soft" color="gray" onClick={() => doing.resolve(ids)}>
          <Icon name="check" size={14} />
          {t("Resolve")}
        </Button>
      )}
      {issue.state !== "muted" && (
        <Button variant="soft" color="gray" onClick={() => doing.ask("mute", [issue])}>
          <Icon name="mute" size={14} />
          {t("Mute…")}
        </Button>
      )}
    </>
  );
}
