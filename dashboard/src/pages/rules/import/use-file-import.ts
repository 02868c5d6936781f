// Imports a kit.events.json file: the page reads it, the launcher checks it without changing anything, and a person
// confirms.
import { type EventsFile, type EventsFileChange, type FieldError, importEventsFile, KitError } from "@kit/contract";
import { useCallback, useRef, useState } from "react";
import { useClient } from "../../../api/session-context.ts";
import { t } from "../../../language/language.ts";
import { eventsFileBytesMax, readEventsFile } from "./events-file.ts";

export type FileImport =
  | { readonly state: "reading"; readonly name: string }
  | { readonly state: "invalid"; readonly name: string; readonly says: string; readonly errors: readonly FieldError[] }
  | {
      readonly state: "ready";
      readonly name: string;
      readonly file: EventsFile;
      readonly changes: readonly EventsFileChange[];
    };

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
