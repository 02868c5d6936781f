// Imports a kit.events.json file: the dialog shows what it would change, or what is wrong with it, before anything is
// changed.
import { type EventsFile, type EventsFileChange, type FieldError, importEventsFile, KitError } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useId, useRef, useState } from "react";
import { useClient } from "../../api/session.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { eventsFileBytesMax, readEventsFile } from "./events-file.ts";
import { eventsFileFieldText } from "./rule-text.ts";

type FileImport =
  | { readonly state: "reading"; readonly name: string }
  | { readonly state: "invalid"; readonly name: string; readonly says: string; readonly errors: readonly FieldError[] }
  | {
      readonly state: "ready";
      readonly name: string;
      readonly file: EventsFile;
      readonly changes: readonly EventsFileChange[];
    };

/**
 * Imports a kit.events.json file: the page reads it, the launcher checks it without changing anything, and a person
 * confirms.
 */
export function useFileImport() {
  const client = useClient();
  const [shown, setShown] = useState<FileImport>();
  const latest = useRef(0);
  const checkFile = useCallback(
    async (chosen: File): Promise<FileImport> => {
      const { name } = chosen;
      const read =
        chosen.size > eventsFileBytesMax
          ? ({ ok: false, says: t("The file is too large for a kit.events.json."), errors: [] } as const)
          : readEventsFile(new Uint8Array(await chosen.arrayBuffer()));
      if (!read.ok) return { state: "invalid", name, says: read.says, errors: read.errors };
      // The launcher checks that the value has this type.
      const file = read.value as EventsFile;
      const { changes } = await client.call(importEventsFile, { body: file, query: { dryRun: true } });
      return { state: "ready", name, file, changes };
    },
    [client],
  );
  const start = useCallback(
    async (chosen: File) => {
      latest.current += 1;
      const current = latest.current;
      setShown({ state: "reading", name: chosen.name });
      const found = await checkFile(chosen).catch((error: unknown): FileImport => {
        const errors = error instanceof KitError ? error.errors : [];
        const reason = error instanceof Error ? error.message : String(error);
        // The message of the error would only repeat the problems that are listed.
        const says = errors.length > 0 ? t("Kit cannot import this file:") : reason;
        return { state: "invalid", name: chosen.name, says, errors };
      });
      // Ignored if the dialog was closed or another file was chosen in the meantime.
      if (latest.current === current) setShown(found);
    },
    [checkFile],
  );
  const close = useCallback(() => {
    latest.current += 1;
    setShown(undefined);
  }, []);
  return { shown, start, close };
}

/** Maximum changes that are listed; of the others, only the number is shown. A file with 500 ids can make thousands. */
const shownMax = 200;

type Props = {
  shown: FileImport;
  error: Error | undefined;
  /** Resolves to true if the changes were applied. */
  onApply: () => Promise<boolean>;
  onClose: () => void;
};

export function ImportDialog({ shown, error, onApply, onClose }: Props) {
  const title = useId();
  const [isApplying, setApplying] = useState(false);
  const count = shown.state === "ready" ? shown.changes.length : 0;
  const apply = async () => {
    setApplying(true);
    if (!(await onApply())) setApplying(false);
  };
  return (
    <Dialog className="panel roomy" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Import {{name}}", { name: visibleLine(shown.name, 80) })}</h2>
      <div role="status" className="stack tight">
        {shown.state === "reading" && <p>{t("Checking the file…")}</p>}
        {shown.state === "invalid" && <InvalidFile says={shown.says} errors={shown.errors} />}
        {shown.state === "ready" && count === 0 && (
          <p>{t("Everything in this file is already set. There is nothing to change.")}</p>
        )}
        {count > 0 && (
          <p>
            {t(
              "This file makes {{count, number}} changes. Nothing has been changed yet. Settings that the file does not mention stay as they are.",
              {
                count,
                defaultValue_one:
                  "This file makes {{count, number}} change. Nothing has been changed yet. Settings that the file does not mention stay as they are.",
              },
            )}
          </p>
        )}
      </div>
      {shown.state === "ready" && <Changes changes={shown.changes} />}
      <ErrorText error={error && t("Nothing was changed: {{why}}", { why: error.message })} />
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {count > 0 ? t("Cancel") : t("Close")}
        </Button>
        {count > 0 && (
          <Button disabled={isApplying} onClick={() => void apply()}>
            {t("Apply {{count, number}} changes", { count, defaultValue_one: "Apply {{count, number}} change" })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function InvalidFile({ says, errors }: { says: string; errors: readonly FieldError[] }) {
  return (
    <>
      <p className="error">{visibleText(says)}</p>
      {errors.length > 0 && (
        <ul className="stack tight scroll">
          {errors.slice(0, shownMax).map(({ path, message }) => (
            <li key={`${path} ${message}`} className="note error">
              {path !== "" && <code>{visibleLine(path, 300)}</code>}
              <span>{visibleText(message)}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="setting-hint small quiet">{t("Nothing was changed.")}</p>
    </>
  );
}

const idOf = ({ eventId }: EventsFileChange) => eventId ?? "";

function Changes({ changes }: { changes: readonly EventsFileChange[] }) {
  const shown = changes.slice(0, shownMax);
  const ids = [...new Set(shown.map(idOf))];
  if (ids.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
    <section className="card scroll" aria-label={t("Changes")} tabIndex={0}>
      {ids.map((id) => (
        <div key={id}>
          <h3>
            {id === "" ? t("The game itself") : <bdi className="code quiet ellipsis">{visibleLine(id, 200)}</bdi>}
          </h3>
          <dl>
            {shown
              .filter((change) => idOf(change) === id)
              .map((change) => (
                <Change key={change.what} change={change} />
              ))}
          </dl>
        </div>
      ))}
      {changes.length > shownMax && (
        <p>
          {t("And {{count, number}} more.", {
            count: changes.length - shownMax,
            defaultValue_one: "And {{count, number}} more.",
          })}
        </p>
      )}
    </section>
  );
}

function Change({ change: { what, from, to } }: { change: EventsFileChange }) {
  const word = (text: string) => (text === "" ? t("nothing") : visibleLine(text, 300));
  return (
    <div className="import-change">
      <dt className="quiet">{visibleLine(eventsFileFieldText(what), 100)}</dt>
      <dd className="cluster tight">
        <del className="quiet">
          <span className="unseen">{t("Before:")} </span>
          <bdi>{word(from)}</bdi>
        </del>
        <span aria-hidden="true">→</span>
        <ins>
          <span className="unseen">{t("After:")} </span>
          <bdi>{word(to)}</bdi>
        </ins>
      </dd>
    </div>
  );
}
