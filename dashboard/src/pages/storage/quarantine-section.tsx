// What was set aside: brought back, or deleted for good. Nothing is shown where there is nothing.
import type { Aside } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useAside } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { sizeOf } from "../../ui/measures.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { SureDialog } from "./confirm-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { momentOf, whyWord } from "./storage-words.ts";
import type { Reopening, useStorageCommands } from "./use-storage-commands.ts";

type Props = { actions: ReturnType<typeof useStorageCommands>; onReopen: (what: Reopening) => void };

export function AsideSection({ actions: { removeAside }, onReopen }: Props) {
  const { data } = useAside();
  const [asked, setAsked] = useState<{ what: "restore" | "delete"; aside: Aside }>();
  const close = () => setAsked(undefined);
  if (data === undefined || data.aside.length === 0) return null;
  return (
    <section className="kept-part" aria-labelledby="kept-aside">
      <h2 id="kept-aside">{t("Set aside")}</h2>
      <p className="kept-quiet">
        {t("What a restore or a wipe replaced. It stays until you delete it, and uses room until then.")}
      </p>
      {removeAside.error && (
        <p className="details-warning" role="alert">
          {visibleText(removeAside.error.message)}
        </p>
      )}
      <ul className="kept-list">
        {data.aside.map((aside) => (
          <AsideRow
            key={aside.name}
            aside={aside}
            onRestore={() => setAsked({ what: "restore", aside })}
            onDelete={() => setAsked({ what: "delete", aside })}
          />
        ))}
      </ul>
      {asked?.what === "restore" && (
        <RestoreDialog
          at={asked.aside.at}
          onRestore={() => onReopen({ kind: "aside", name: asked.aside.name })}
          onClose={close}
        />
      )}
      {asked?.what === "delete" && (
        <SureDialog
          title={t("Delete what was set aside?")}
          does={t("Delete")}
          onSure={() => removeAside.mutate(asked.aside.name)}
          onClose={close}
        >
          <p>
            {t("What was set aside on {{moment}}, {{size}}, will be gone. This cannot be undone.", {
              moment: momentOf(asked.aside.at),
              size: sizeOf(asked.aside.bytes),
            })}
          </p>
        </SureDialog>
      )}
    </section>
  );
}

type RowProps = { aside: Aside; onRestore: () => void; onDelete: () => void };

function AsideRow({ aside: { at, bytes, why }, onRestore, onDelete }: RowProps) {
  const moment = momentOf(at);
  return (
    <li>
      <span className="kept-what">
        <time dateTime={at}>{moment}</time>
        <span>
          {sizeOf(bytes)} · {whyWord(why)}
        </span>
      </span>
      <span className="kept-buttons">
        {/* What could not be read cannot be gone back to. */}
        {why !== "damaged" && (
          <Button
            size="1"
            variant="soft"
            aria-label={t("Bring back what was set aside on {{moment}}", { moment })}
            onClick={onRestore}
          >
            {t("Bring back")}
          </Button>
        )}
        <Button
          size="1"
          variant="soft"
          color="ruby"
          aria-label={t("Delete what was set aside on {{moment}}", { moment })}
          onClick={onDelete}
        >
          {t("Delete")}
        </Button>
      </span>
    </li>
  );
}
