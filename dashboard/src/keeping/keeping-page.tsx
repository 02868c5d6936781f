// The Storage page: what uses the disk, what may go, backups, and the ways to take everything along or begin anew.

import type { Usage } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { settingsAddress } from "../frame/address.ts";
import { t } from "../language/language.ts";
import { gameWord } from "../live/game-word.ts";
import { useChanges } from "../live/use-changes.ts";
import { visibleText } from "../live/visible-text.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { AsideSection } from "./aside-section.tsx";
import { BackupsSection } from "./backups-section.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { GamesSection } from "./games-section.tsx";
import { QuotaSection } from "./quota-section.tsx";
import { Reopening } from "./reopening.tsx";
import { UsageSection } from "./usage-section.tsx";
import { useUsage, useWipes } from "./use-kept.ts";
import { useKeptActions, useReopen } from "./use-kept-actions.ts";
import { WipeAllDialog } from "./wipe-all-dialog.tsx";
import { WipeDialog } from "./wipe-dialog.tsx";
import { useWipeSaying, WipeToasts } from "./wipe-toasts.tsx";
import "../live/live.css";
import "../live/details.css";
import "../clips/clips.css";
import "../recorder/recorder.css";
import "./keeping.css";

export function KeepingPage() {
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
  const actions = useKeptActions();
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
