// The Storage page: disk usage, quota, games, backups, previous data, export and wipe.
import "./storage.css";
import { type DiskUsage, exportEverything, listPreviousData } from "@kit/contract";
import { Button, Checkbox, TextField } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { unsorted } from "../../api/address-filters.ts";
import { useChanges } from "../../api/changes.ts";
import { useDownload } from "../../api/media-pass.ts";
import { useClient } from "../../api/session.ts";
import { useUsage, useWipes } from "../../api/use-storage.ts";
import { Trans, t } from "../../language/language.ts";
import { settingsAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { gameName } from "../../ui/names.ts";
import { Page, useTitle } from "../../ui/page.tsx";
import { PageSection } from "../../ui/section.tsx";
import { estimateExportBytes, totalBytes, usageSegments } from "../../ui/storage-usage.ts";
import { GamesSection } from "./games-section.tsx";
import { QuotaSection } from "./quota-section.tsx";
import { BackupsSection, PreviousDataSection } from "./restorable-sections.tsx";
import { usagePartText } from "./storage-text.ts";
import { useRestartRequest, useStorageCommands, waitForRestart } from "./use-storage-commands.ts";
import { useWipeStatus, WipeDialog, WipeToasts } from "./wipe.tsx";

/** `game`: what is exported. Undefined is everything; null is what belongs to no game. */
type ExportDialogProps = { usage: DiskUsage; game: string | null | undefined; onClose: () => void };

function ExportDialog({ usage, game, onClose }: ExportDialogProps) {
  const ids = { title: useId(), files: useId() };
  const [files, setFiles] = useState(true);
  const bytes = estimateExportBytes(usage, game);
  const save = useDownload();
  const query = { files, ...(game === undefined ? {} : { game: game ?? unsorted }) };
  return (
    <Dialog className="panel" labelledBy={ids.title} onClose={onClose}>
      <h2 id={ids.title}>
        {game === undefined ? t("Export everything") : t("Export {{game}}", { game: gameName(game) })}
      </h2>
      <p>
        {t(
          "One ZIP file: events, issues, posts, sessions and clips as JSON Lines, rules and settings as JSON, and a README that explains them. It contains no passwords or keys.",
        )}
      </p>
      <label className="switch-label" htmlFor={ids.files}>
        <Checkbox id={ids.files} checked={files} onCheckedChange={(on) => setFiles(on === true)} />
        <span>{t("Include clip files, {{size}}", { size: formatBytes(bytes.files) })}</span>
      </label>
      <p className="quiet" role="status">
        {t("About {{size}} at most.", { size: formatBytes(bytes.without + (files ? bytes.files : 0)) })}
      </p>
      <ErrorText error={save.error} />
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Close")}
        </Button>
        <Button
          disabled={save.isPending}
          onClick={() => save.mutate({ operation: exportEverything, query }, { onSuccess: onClose })}
        >
          <Icon name="download" size={14} /> {t("Download")}
        </Button>
      </div>
    </Dialog>
  );
}

/** The launcher expects exactly these words, in every language. */
const confirmationText = "wipe all";

type Props = { onWipe: () => void; onClose: () => void };

/** Asks a person to type words before everything is wiped. */
function WipeAllDialog({ onWipe, onClose }: Props) {
  const ids = { title: useId(), field: useId() };
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isConfirmed = typed.trim().toLowerCase() === confirmationText;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) return;
    onClose();
    onWipe();
  };
  return (
    <Dialog className="panel" labelledBy={ids.title} focusFirst={field} asksBeforeLoss={false} onClose={onClose}>
      <h2 id={ids.title}>{t("Start over?")}</h2>
      <ul className="bullets">
        <li>{t("Events, issues, posts, sessions, clips, rules and settings are set aside. Kit starts empty.")}</li>
        <li>
          {t("You can restore all of it from this page until you delete it here. Until then it uses disk space.")}
        </li>
        <li>{t("Passwords and keys stay, and this page stays signed in.")}</li>
        <li>
          {t("Kit restarts within seconds. Games keep running, but Kit does not receive what they send in that time.")}
        </li>
      </ul>
      <form className="stack" onSubmit={submit}>
        <label htmlFor={ids.field}>
          <Trans i18nKey="Type <code>wipe all</code> to confirm." components={{ code: <code /> }} />
        </label>
        <TextField.Root
          ref={field}
          id={ids.field}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="panel-end">
          <Button type="button" variant="soft" color="gray" onClick={onClose}>
            {t("Cancel")}
          </Button>
          <Button type="submit" color="ruby" disabled={!isConfirmed}>
            {t("Wipe everything")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const partColours: Record<ReturnType<typeof usageSegments>[number]["name"], string> = {
  clips: "var(--iris-9)",
  bin: "var(--iris-7)",
  copies: "var(--sky-9)",
  database: "var(--grass-9)",
  backups: "var(--amber-9)",
  aside: "var(--gray-8)",
};

/** Shows the disk usage as a bar with a legend. */
function UsageSection({ usage }: { usage: DiskUsage }) {
  const { bytes, disk, lowDisk } = usage;
  const parts = usageSegments(bytes);
  return (
    <PageSection
      title={t("Kit uses {{size}}", { size: formatBytes(totalBytes(bytes)) })}
      end={
        <p className="quiet">
          {t("{{free}} of {{total}} are free on this disk", {
            free: formatBytes(disk.freeBytes),
            total: formatBytes(disk.totalBytes),
          })}
        </p>
      }
    >
      {lowDisk && (
        <p className="note" role="alert">
          <Icon name="warning" />
          <span>
            {t(
              "Disk space is so low that Kit saves no clips. Free up some space, or lower the space for clips so that Kit deletes some.",
            )}
          </span>
        </p>
      )}
      <svg className="usage-bar" width="100%" height="18" aria-hidden="true">
        {parts.map(({ name, from, width }) => (
          <rect key={name} fill={partColours[name]} x={`${from}%`} width={`${width}%`} height="18" />
        ))}
      </svg>
      <ul className="cluster">
        {parts.map(({ name, bytes: held }) => (
          <li key={name} className="with-icon">
            <svg className="icon" width="10" height="10" aria-hidden="true">
              <rect fill={partColours[name]} width="10" height="10" rx="3" />
            </svg>
            <span className="quiet">{usagePartText(name)}</span>
            <strong>{formatBytes(held)}</strong>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

const pollMs = 300;
/** After this time, the dialog says that something may be wrong: even a database of 1 GB opens within a few seconds. */
const slowMs = 30_000;

/**
 * Blocks the page until the launcher has restarted, then reloads it. Only the restarted launcher lists `aside`, the
 * previous data, so its presence shows that the restart is over.
 */
function RestartDialog({ aside }: { aside: string }) {
  const client = useClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => setLong(true), slowMs);
    const check = async () => {
      const { aside: there } = await client.call(listPreviousData);
      return there.some(({ name }) => name === aside) ? "after" : "before";
    };
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pollMs));
    void waitForRestart({ check, pause, signal: abort.signal }).then(() => abort.signal.aborted || location.reload());
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [client, aside]);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="panel" aria-labelledby={title} onCancel={(event) => event.preventDefault()}>
      <h2 id={title} tabIndex={-1}>
        {t("Kit is restarting")}
      </h2>
      <p role="status">
        {isLong
          ? t(
              "This is taking longer than usual. This page keeps waiting. To find out what is wrong, run kit doctor in a terminal.",
            )
          : t("This page reloads when Kit is back. Your games keep running.")}
      </p>
      <progress aria-label={t("Waiting for Kit")} />
    </dialog>
  );
}

export function StoragePage() {
  useChanges();
  const { data: usage, error } = useUsage();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(t("Storage · Kit"));
  return (
    <Page column="medium">
      <div className="cluster spread">
        <h1 ref={heading} tabIndex={-1}>
          {t("Storage")}
        </h1>
        <a href={settingsAddress}>{t("Settings")}</a>
      </div>
      <ErrorText error={!usage && error} />
      {!usage && !error && <p className="quiet">{t("Counting…")}</p>}
      {usage && <StorageSections usage={usage} focusHeading={() => heading.current?.focus()} />}
    </Page>
  );
}

/** An export with `game` undefined exports everything. */
type OpenDialog = { what: "export"; game?: string | null } | { what: "wipe"; game: string } | { what: "wipe-all" };

function StorageSections({ usage, focusHeading }: { usage: DiskUsage; focusHeading: () => void }) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const actions = useStorageCommands();
  const restart = useRestartRequest();
  const wipes = useWipes().data?.wipes;
  const { status, setStatus } = useWipeStatus(wipes);
  const close = () => setDialog(undefined);
  const undo = (game: string) => {
    const onSuccess = () => {
      setStatus({ text: t("No data of {{game}} was wiped.", { game: gameName(game) }), isVisible: true });
      focusHeading();
    };
    actions.undo.mutate(game, { onSuccess });
  };
  const wipe = (game: string) => {
    const onSuccess = () =>
      setStatus({
        text: t("{{game}} will be wiped in half a minute. You can undo this until then.", { game: gameName(game) }),
        isVisible: false,
      });
    actions.wipe.mutate(game, { onSuccess });
  };
  const trouble = actions.wipe.error ?? actions.undo.error ?? restart.error;
  return (
    <>
      <ErrorText error={trouble} />
      <UsageSection usage={usage} />
      <QuotaSection usage={usage} />
      <GamesSection
        games={usage.games}
        wiping={wipes?.map(({ game }) => game) ?? []}
        onExport={(game) => setDialog({ what: "export", game })}
        onWipe={(game) => setDialog({ what: "wipe", game })}
      />
      <BackupsSection actions={actions} onRestart={restart.mutate} />
      <PreviousDataSection actions={actions} onRestart={restart.mutate} />
      <EverythingSection
        onExport={() => setDialog({ what: "export" })}
        onWipe={() => setDialog({ what: "wipe-all" })}
      />
      {dialog?.what === "export" && <ExportDialog usage={usage} game={dialog.game} onClose={close} />}
      {dialog?.what === "wipe" && <WipeDialog game={dialog.game} onWipe={() => wipe(dialog.game)} onClose={close} />}
      {dialog?.what === "wipe-all" && <WipeAllDialog onWipe={() => restart.mutate({ kind: "wipe" })} onClose={close} />}
      {restart.data && <RestartDialog aside={restart.data.aside} />}
      <WipeToasts
        wipes={wipes ?? []}
        undoing={actions.undo.isPending ? actions.undo.variables : undefined}
        status={status}
        onUndo={undo}
      />
    </>
  );
}

function EverythingSection({ onExport, onWipe }: { onExport: () => void; onWipe: () => void }) {
  return (
    <PageSection title={t("Everything")}>
      <p className="quiet">{t("Export everything as one file, or start over with an empty Kit.")}</p>
      <div className="cluster tight">
        <Button variant="soft" onClick={onExport}>
          {t("Export everything")}
        </Button>
        <Button variant="soft" color="ruby" onClick={onWipe}>
          {t("Wipe everything")}
        </Button>
      </div>
    </PageSection>
  );
}
