// The buttons of one issue: resolve, mute, copy, download, delete.
import { buildCharsMax, type Issue, type IssueDetail, issueMarkdown } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { t } from "../../language/language.ts";
import { issuesAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { downloadJson } from "../../ui/download-json.ts";
import { Icon } from "../../ui/icon.tsx";
import type { IssueCommands } from "./use-issue-commands.ts";

type Props = { detail: IssueDetail; commands: IssueCommands };

export function IssueActions({ detail, commands }: Props) {
  const { issue } = detail;
  const ids = [issue.id];
  return (
    <div className="cluster tight issue-actions">
      {issue.deletedAt === null ? (
        <StateActions detail={detail} commands={commands} />
      ) : (
        <>
          <p>{t("This issue is in the trash. New reports are still counted.")}</p>
          <Button onClick={() => commands.restore(ids)}>
            <Icon name="undo" size={14} />
            {t("Restore")}
          </Button>
        </>
      )}
      <CopyButton
        text={issueMarkdown(detail)}
        label={t("Copy the issue as Markdown")}
        shows={t("Copy Markdown")}
        size="2"
      />
      <Button
        variant="soft"
        color="gray"
        onClick={() => downloadJson(`kit-issue-${issue.id}.json`, `${JSON.stringify(detail, null, 2)}\n`)}
      >
        <Icon name="download" size={14} />
        {t("JSON")}
      </Button>
      <CopyButton
        text={`${location.origin}/${issuesAddress(issue.id)}`}
        label={t("Copy a link to the issue")}
        shows={t("Copy link")}
        size="2"
      />
      {issue.deletedAt === null ? (
        <Button className="end" variant="soft" color="ruby" onClick={() => commands.discard(ids)}>
          <Icon name="bin" size={14} />
          {t("Delete")}
        </Button>
      ) : (
        <Button className="end" variant="soft" color="ruby" onClick={() => commands.ask("remove", [issue])}>
          {t("Delete permanently")}
        </Button>
      )}
    </div>
  );
}

/** Resolves an issue in a build: reports of older builds, which are still played, do not reopen it. */
function ResolveInBuild({ issue, commands }: { issue: Issue; commands: IssueCommands }) {
  const [build, setBuild] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commands.resolve([issue.id], build.trim());
  };
  return (
    <details>
      <summary>{t("Resolve in a build…")}</summary>
      <form className="cluster tight" onSubmit={submit}>
        <TextField.Root
          aria-label={t("First build without the error")}
          placeholder={t("First build without the error")}
          style={{ width: "17em", maxWidth: "100%" }}
          autoComplete="off"
          required
          maxLength={buildCharsMax}
          value={build}
          onChange={(event) => setBuild(event.target.value)}
        />
        <Button type="submit" variant="soft">
          {t("Resolve")}
        </Button>
      </form>
    </details>
  );
}

function StateActions({ detail: { issue }, commands }: Props) {
  const ids = [issue.id];
  const isOpen = issue.state === "open" || issue.state === "regressed";
  return (
    <>
      {isOpen ? (
        <Button onClick={() => commands.resolve(ids)}>
          <Icon name="check" size={14} />
          {t("Resolve")}
        </Button>
      ) : (
        <Button onClick={() => commands.reopen(ids)}>
          <Icon name="undo" size={14} />
          {t("Reopen")}
        </Button>
      )}
      {issue.state === "muted" && (
        <Button variant="soft" color="gray" onClick={() => commands.resolve(ids)}>
          <Icon name="check" size={14} />
          {t("Resolve")}
        </Button>
      )}
      {issue.state !== "resolved" && issue.lastBuild !== null && <ResolveInBuild issue={issue} commands={commands} />}
      {issue.state !== "muted" && (
        <Button variant="soft" color="gray" onClick={() => commands.ask("mute", [issue])}>
          <Icon name="mute" size={14} />
          {t("Mute…")}
        </Button>
      )}
    </>
  );
}
