// The Storage page: what uses the disk, what may go, backups, and the ways to take everything along or begin anew.
import "../../ui/list-page.css";
import "../../ui/details.css";
import "../../ui/clips/clips.css";
import "../../ui/recorder/recorder.css";
import "./storage.css";
import { KitError, listAside, type Usage } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { useChanges } from "../../api/use-changes.ts";
import { useUsage, useWipes } from "../../api/use-storage.ts";
import { Trans, t } from "../../language/language.ts";
import { settingsAddress } from "../../ui/address.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { gameWord } from "../../ui/game-name.ts";
import { Icon } from "../../ui/icon.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { partsOf, sumOf } from "../../ui/storage-parts.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { BackupsSection } from "./backups-section.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { GamesSection } from "./games-section.tsx";
import { AsideSection } from "./quarantine-section.tsx";
import { QuotaSection } from "./quota-section.tsx";
import { partWord } from "./storage-words.ts";
import { untilReopened } from "./until-reopened.ts";
import { useReopen, useStorageCommands } from "./use-storage-commands.ts";
import { WipeDialog } from "./wipe-dialog.tsx";
import { useWipeSaying, WipeToasts } from "./wipe-toasts.tsx";

/** As the launcher wants to hear them, in every language. */
const words = "wipe all";

type Props = { onWipe: () => void; onClose: () => void };

/** Beginning anew: what goes, what stays, and the words a person types to mean it. */
function WipeAllDialog({ onWipe, onClose }: Props) {
  const ids = { title: useId(), field: useId() };
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isMeant = typed.trim().toLowerCase() === words;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isMeant) return;
    onClose();
    onWipe();
  };
  return (
    <Dialog className="panel" labelledBy={ids.title} focusFirst={field} onClose={onClose}>
      <h2 id={ids.title}>{t("Begin anew?")}</h2>
      <ul className="kept-says">
        <li>{t("Events, issues, posts, sessions, clips, rules and settings are set aside. Kit opens empty.")}</li>
        <li>{t("You can bring all of it back from this page until you delete it there. Until then it uses room.")}</li>
        <li>{t("Passwords and keys stay, and this page stays signed in.")}</li>
        <li>
          {t("Kit closes and opens again within seconds. Games go on; what they send in that time is not taken.")}
        </li>
      </ul>
      <form className="kept-typed" onSubmit={submit}>
        <label htmlFor={ids.field}>
          <Trans i18nKey="Type <code>wipe all</code> to mean it." components={{ code: <code /> }} />
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
          <Button type="submit" color="ruby" disabled={!isMeant}>
            {t("Wipe everything")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What uses the disk: one bar, its parts in words, and how much room is left. */
function UsageSection({ usage }: { usage: Usage }) {
  const { bytes, disk, lowDisk } = usage;
  const parts = partsOf(bytes);
  return (
    <section className="kept-part" aria-labelledby="kept-usage">
      <div className="kept-head">
        <h2 id="kept-usage">{t("Kit uses {{size}}", { size: sizeOf(sumOf(bytes)) })}</h2>
        <p className="kept-quiet">
          {t("{{free}} of {{total}} are free on this disk", {
            free: sizeOf(disk.freeBytes),
            total: sizeOf(disk.totalBytes),
          })}
        </p>
      </div>
      {lowDisk && (
        <p className="kept-low" role="alert">
          <Icon name="warning" />
          <span>
            {t("So little is free that no clip is cut now. Free some room, or let clips go with a smaller quota.")}
          </span>
        </p>
      )}
      <svg className="kept-bar" width="100%" height="18" aria-hidden="true">
        <rect className="kept-bar-all" width="100%" height="18" />
        {parts.map(({ name, from, width }) => (
          <rect key={name} data-part={name} x={`${from}%`} width={`${width}%`} height="18" />
        ))}
      </svg>
      <ul className="kept-legend">
        {parts.map(({ name, bytes: held }) => (
          <li key={name}>
            <svg width="10" height="10" aria-hidden="true">
              <rect data-part={name} width="10" height="10" rx="3" />
            </svg>
            <span>{partWord(name)}</span>
            <strong>{sizeOf(held)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

// While the launcher closes and opens anew: what goes on, and then the page as it is from then on.

const askMs = 300;
/** A database of a gigabyte opens in a few seconds. */
const longMs = 30_000;

/** `aside`: the name under which only the launcher that comes after knows what there was before. */
function Reopening({ aside }: { aside: string }) {
  const client = useClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => setLong(true), longMs);
    const look = async () => {
      try {
        const { aside: there } = await client.call(listAside);
        return there.some(({ name }) => name === aside) ? "after" : "before";
      } catch (error) {
        // It is back, and knows this page no longer: loading it anew says how to get in.
        if (error instanceof KitError && error.code === "unauthorized") return "after";
        throw error;
      }
    };
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, askMs));
    void untilReopened({ look, pause, signal: stop.signal }).then(() => stop.signal.aborted || location.reload());
    return () => {
      stop.abort();
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
        {t("Kit opens anew")}
      </h2>
      <p role="status">
        {isLong
          ? t("It takes longer than usual. This page goes on waiting; kit doctor in a terminal says what is wrong.")
          : t("This page loads itself again once Kit is there. Your games go on.")}
      </p>
      <progress aria-label={t("Waiting for Kit")} />
    </dialog>
  );
}

export function StoragePage() {
  useChanges();
  const { data: usage, error } = useUsage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t("Storage · Kit");
  }, []);
  return (
    <main className="recorder">
      <StorageBanner />
      <div className="recorder-page">
        <div className="kept-head">
          <h1 ref={heading} tabIndex={-1}>
            {t("Storage")}
          </h1>
          <a className="kept-back" href={settingsAddress}>
            {t("Settings")}
          </a>
        </div>
        {error && !usage && (
          <p className="details-warning" role="alert">
            {visibleText(error.message)}
          </p>
        )}
        {!usage && !error && <p className="kept-quiet">{t("Counting")}</p>}
        {usage && <Kept usage={usage} focusHeading={() => heading.current?.focus()} />}
      </div>
    </main>
  );
}

/** `game` undefined: everything. */
type Asked = { what: "export"; game?: string | null } | { what: "wipe"; game: string } | { what: "wipe-all" };

function Kept({ usage, focusHeading }: { usage: Usage; focusHeading: () => void }) {
  const [asked, setAsked] = useState<Asked>();
  const actions = useStorageCommands();
  const reopen = useReopen();
  const wipes = useWipes().data?.wipes;
  const { said, say } = useWipeSaying(wipes);
  const close = () => setAsked(undefined);
  const undo = (game: string) => {
    const onSuccess = () => {
      say({ text: t("Nothing of {{game}} was wiped.", { game: gameWord(game) }), shown: true });
      focusHeading();
    };
    actions.undo.mutate(game, { onSuccess });
  };
  const wipe = (game: string) => {
    const onSuccess = () =>
      say({ text: t("{{game}} is wiped in half a minute. It can be undone.", { game: gameWord(game) }), shown: false });
    actions.wipe.mutate(game, { onSuccess });
  };
  const trouble = actions.wipe.error ?? actions.undo.error ?? reopen.error;
  return (
    <>
      {trouble && (
        <p className="details-warning" role="alert">
          {visibleText(trouble.message)}
        </p>
      )}
      <UsageSection usage={usage} />
      <QuotaSection usage={usage} />
      <GamesSection
        games={usage.games}
        going={wipes?.map(({ game }) => game) ?? []}
        onExport={(game) => setAsked({ what: "export", game })}
        onWipe={(game) => setAsked({ what: "wipe", game })}
      />
      <BackupsSection actions={actions} onReopen={reopen.mutate} />
      <AsideSection actions={actions} onReopen={reopen.mutate} />
      <EverythingSection onExport={() => setAsked({ what: "export" })} onWipe={() => setAsked({ what: "wipe-all" })} />
      {asked?.what === "export" && <ExportDialog usage={usage} game={asked.game} onClose={close} />}
      {asked?.what === "wipe" && <WipeDialog game={asked.game} onWipe={() => wipe(asked.game)} onClose={close} />}
      {asked?.what === "wipe-all" && <WipeAllDialog onWipe={() => reopen.mutate({ kind: "wipe" })} onClose={close} />}
      {reopen.data && <Reopening aside={reopen.data.aside} />}
      <WipeToasts
        wipes={wipes ?? []}
        undoing={actions.undo.isPending ? actions.undo.variables : undefined}
        said={said}
        onUndo={undo}
      />
    </>
  );
}

function EverythingSection({ onExport, onWipe }: { onExport: () => void; onWipe: () => void }) {
  return (
    <section className="kept-part" aria-labelledby="kept-all">
      <h2 id="kept-all">{t("Everything")}</h2>
      <p className="kept-quiet">{t("Take all of it along as one file, or begin anew with an empty Kit.")}</p>
      <div className="kept-buttons">
        <Button variant="soft" onClick={onExport}>
          {t("Export everything")}
        </Button>
        <Button variant="soft" color="ruby" onClick={onWipe}>
          {t("Wipe everything")}
        </Button>
      </div>
    </section>
  );
}
