// A kit.events.json on its way in: read here, looked through by the launcher without changing anything, then shown.
import { type EventsFile, type EventsFileChange, type FieldError, importEventsFile, KitError } from "@kit/contract";
import { useCallback, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { t } from "../../language/language.ts";
import { fileBytesMax, readEventsFile } from "./events-file.ts";

export type Import =
  | { readonly state: "reading"; readonly name: string }
  | { readonly state: "broken"; readonly name: string; readonly says: string; readonly errors: readonly FieldError[] }
  | {
      readonly state: "ready";
      readonly name: string;
      readonly file: EventsFile;
      readonly changes: readonly EventsFileChange[];
    };

export function useImport() {
  const client = useClient();
  const [shown, setShown] = useState<Import>();
  const turn = useRef(0);
  const look = useCallback(
    async (chosen: File): Promise<Import> => {
      const { name } = chosen;
      const read =
        chosen.size > fileBytesMax
          ? ({ ok: false, says: t("The file is too large for a kit.events.json."), errors: [] } as const)
          : readEventsFile(new Uint8Array(await chosen.arrayBuffer()));
      if (!read.ok) return { state: "broken", name, says: read.says, errors: read.errors };
      // The launcher says whether it is one.
      const file = read.value as EventsFile;
      const { changes } = await client.call(importEventsFile, { body: file, query: { dryRun: true } });
      return { state: "ready", name, file, changes };
    },
    [client],
  );
  const start = useCallback(
    async (chosen: File) => {
      turn.current += 1;
      const mine = turn.current;
      setShown({ state: "reading", name: chosen.name });
      const found = await look(chosen).catch((error: unknown): Import => {
        const errors = error instanceof KitError ? error.errors : [];
        const why = error instanceof Error ? error.message : String(error);
        // Its sentence is made of the same problems.
        const says = errors.length > 0 ? t("Kit cannot take this file:") : why;
        return { state: "broken", name: chosen.name, says, errors };
      });
      // Closed meanwhile, or another one was chosen.
      if (turn.current === mine) setShown(found);
    },
    [look],
  );
  const close = useCallback(() => {
    turn.current += 1;
    setShown(undefined);
  }, []);
  return { shown, start, close };
}
