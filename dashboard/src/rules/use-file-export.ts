// Takes a game's kit.events.json along: a file made here of what the launcher told. Nothing leaves this machine.
import { exportEventsFile } from "@kit/contract";
import { useCallback } from "react";
import { useClient } from "../session/session-context.ts";
import { eventsFileName, fileTextOf } from "./events-file.ts";

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = eventsFileName;
  link.click();
  URL.revokeObjectURL(address);
}

export function useFileExport(onFailed: (error: Error) => void): (game: string) => void {
  const client = useClient();
  return useCallback(
    (game) =>
      void client
        .call(exportEventsFile, { query: { game } })
        .then((file) => download(fileTextOf(file)))
        .catch(onFailed),
    [client, onFailed],
  );
}
