// HTTP routes of the data slice.

import {
  attachmentHeader,
  type CommandOptions,
  type DiskUsage,
  deleteBackup,
  deletePreviousData,
  exportEverything,
  getBackupFile,
  getCommandOptions,
  getDiskUsage,
  KitError,
  listBackups,
  listPreviousData,
  listWipes,
  makeBackup,
  restoreBackup,
  restorePreviousData,
  undoWipe,
  wipeAll,
  wipeGame,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { FastifyReply } from "fastify";
import { type Route, route } from "../http/route.ts";
import { sendMedia } from "../http/send-media.ts";
import type { Backups } from "./backups.ts";
import { type ExportDeps, exportStream } from "./export.ts";
import { type DataLocation, findPreviousData, removePreviousData } from "./previous-data.ts";
import type { DatabaseReplacement } from "./replacement.ts";
import type { Wipes } from "./wipes.ts";

export type DataRouteDeps = {
  readonly location: DataLocation;
  readonly usage: () => Promise<DiskUsage>;
  readonly commandOptions: CommandOptions;
  readonly backups: Backups;
  readonly replacement: DatabaseReplacement;
  readonly wipes: Wipes;
  readonly exporting: ExportDeps;
  readonly hasData: (game: string | null) => Promise<boolean>;
  readonly now: () => number;
  readonly reopen: () => void;
  readonly onChanged: () => void;
};

const backupType = "application/vnd.sqlite3";
const unsorted = "unsorted";

/** Returns the file name of a download: printable ASCII without quotes, because it is sent in a header. */
const exportName = (game: string | undefined, atMs: number) =>
  `kit-export${game === undefined ? "" : `-${game.replace(/[^\w-]/g, "_").slice(0, 60)}`}-${new Date(atMs).toISOString().slice(0, 10)}.zip`;

export function dataRoutes(needs: DataRouteDeps): readonly Route[] {
  const { location, backups, replacement, wipes, now, onChanged } = needs;
  /** Sends the response before the launcher closes. */
  const reopening = async (planned: Promise<{ aside: string }>, reply: FastifyReply) => {
    const { aside } = await planned;
    reply.raw.once("close", needs.reopen);
    return { reopening: true as const, aside };
  };
  return [
    route(getDiskUsage, needs.usage),
    route(getCommandOptions, () => needs.commandOptions),
    route(listBackups, () => ({ backups: backups.list() })),
    route(makeBackup, backups.make),
    route(deleteBackup, ({ params }) => backups.remove(params.name)),
    route(getBackupFile, ({ params }, reply) =>
      sendMedia(reply, { path: backups.pathOf(params.name), type: backupType, saveAs: params.name }),
    ),
    route(restoreBackup, ({ params }, reply) =>
      reopening(replacement.restoreBackup(backups.pathOf(params.name)), reply),
    ),
    route(listPreviousData, async () => ({ aside: await findPreviousData(location) })),
    route(restorePreviousData, ({ params }, reply) => reopening(replacement.restorePreviousData(params.name), reply)),
    route(deletePreviousData, async ({ params }) => {
      await removePreviousData(location, params.name);
      onChanged();
    }),
    route(exportEverything, async ({ query }, reply) => {
      const game = query.game === unsorted ? null : query.game;
      if (game !== undefined && !(await needs.hasData(game))) {
        throw new KitError("not_found", message("wipe.no_data", { game: query.game ?? unsorted }));
      }
      const archive = await exportStream({ game, withFiles: query.files === true }, needs.exporting);
      reply.header("content-type", "application/zip");
      reply.header("cache-control", "no-store");
      reply.header("content-disposition", attachmentHeader(exportName(query.game, now())));
      reply.send(archive);
    }),
    route(listWipes, async () => ({ wipes: await wipes.list() })),
    route(wipeGame, ({ body }) => wipes.plan(body.game, body.dryRun === true)),
    route(undoWipe, ({ query }) => wipes.undo(query.game)),
    route(wipeAll, (_call, reply) => reopening(replacement.wipeAll(), reply)),
  ];
}
