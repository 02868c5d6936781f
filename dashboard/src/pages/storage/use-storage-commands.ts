// Commands on backups, previous data and the data of games, and the wait for the restart that some of them cause.
import {
  deleteBackup,
  deletePreviousData,
  makeBackup,
  restoreBackup,
  restorePreviousData,
  undoWipe,
  wipeAll,
  wipeGame,
} from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";

/** A command after which the launcher restarts. Its reply names the previous data that it created. */
export type RestartRequest =
  | { readonly kind: "backup"; readonly name: string }
  | { readonly kind: "aside"; readonly name: string }
  | { readonly kind: "wipe" };

export function useStorageCommands() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["storage"] });
  return {
    make: useMutation({ mutationFn: () => client.call(makeBackup), onSettled }),
    removeBackup: useMutation({
      mutationFn: (name: string) => client.call(deleteBackup, { params: { name } }),
      onSettled,
    }),
    removeAside: useMutation({
      mutationFn: (name: string) => client.call(deletePreviousData, { params: { name } }),
      onSettled,
    }),
    wipe: useMutation({ mutationFn: (game: string) => client.call(wipeGame, { body: { game } }), onSettled }),
    undo: useMutation({ mutationFn: (game: string) => client.call(undoWipe, { query: { game } }), onSettled }),
  };
}

/** Sends a restart command, once, and fetches nothing again, because the launcher closes. */
export function useRestartRequest() {
  const client = useClient();
  return useMutation({
    mutationFn: (what: RestartRequest) => {
      if (what.kind === "backup") return client.call(restoreBackup, { params: { name: what.name } });
      if (what.kind === "aside") return client.call(restorePreviousData, { params: { name: what.name } });
      return client.call(wipeAll, { body: { confirm: "wipe all" } });
    },
  });
}

type CheckLauncher = () => Promise<"before" | "after">;
type WaitForRestartDeps = {
  /** Resolves to which launcher answers, the old or the new one. Rejects while none does. */
  readonly check: CheckLauncher;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Resolves when the new launcher answers, or when `signal` aborts. Never rejects. */
export async function waitForRestart({ check, pause, signal }: WaitForRestartDeps): Promise<void> {
  while (!signal.aborted) {
    const answer = await check().catch(() => "nobody" as const);
    if (answer === "after") return;
    await pause();
  }
}
