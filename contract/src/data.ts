// Operations on stored data: backups, previous data, exports and wipes.
import { Type } from "typebox";
import { manualBackupsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { fileErrors, inputErrors, sessionErrors } from "./problem.ts";
import { StoredAmounts } from "./usage.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const Backup = Type.Object(
  {
    name: Type.String({ description: "The file name" }),
    at: Instant,
    bytes: Type.Integer(),
    by: Type.Enum(["launcher", "person"], {
      description: `launcher: made automatically, the newest three are kept; person: made on request, the newest ${manualBackupsMax} are kept`,
    }),
  },
  { description: "A copy of the whole database, without clip files and secrets" },
);
export type Backup = Type.Static<typeof Backup>;

const nameParam = Type.Object({ name: Type.String({ pattern: "^[\\w.-]{1,80}$", description: "the file name" }) });

export const listBackups = operation({
  id: "listBackups",
  method: "GET",
  path: "/api/backups",
  access: "session",
  says: "The backups, newest first.",
  status: 200,
  reply: Type.Object({ backups: Type.Array(Backup) }),
  errors: sessionErrors,
});

export const makeBackup = operation({
  id: "makeBackup",
  method: "POST",
  path: "/api/backups",
  access: "session",
  says: "Makes a backup and verifies it.",
  status: 201,
  reply: Backup,
  errors: inputErrors,
});

export const deleteBackup = operation({
  id: "deleteBackup",
  method: "DELETE",
  path: "/api/backups/{name}",
  access: "session",
  says: "Deletes a backup permanently.",
  params: nameParam,
  status: 204,
  errors: inputErrors,
});

export const getBackupFile = operation({
  id: "getBackupFile",
  method: "GET",
  path: "/api/backups/{name}/file",
  access: "download",
  says: "Downloads a backup.",
  params: nameParam,
  status: 200,
  file: "application/vnd.sqlite3",
  ranged: true,
  errors: fileErrors,
});

/**
 * The reply to a request after which the launcher closes, replaces its data and is back within seconds. Until then, a
 * page must poll the health operation.
 */
const Reopening = Type.Object({
  reopening: Type.Literal(true),
  aside: Type.String({ description: "Name of the previous data, which `restorePreviousData` can restore" }),
});

export const restoreBackup = operation({
  id: "restoreBackup",
  method: "POST",
  path: "/api/backups/{name}/restore",
  access: "session",
  says: "Replaces the database by a backup; the current database becomes previous data. The launcher restarts, which games notice for a second at most.",
  params: nameParam,
  status: 202,
  reply: Reopening,
  errors: inputErrors,
});

export const PreviousData = Type.Object(
  {
    name: Type.String({ description: "The folder name" }),
    at: Instant,
    bytes: Type.Integer(),
    why: Type.Enum(["restored", "wiped", "replaced", "damaged"], {
      description:
        "restored: replaced by a backup; wiped: everything was wiped; replaced: another program's file in place of the open database; damaged: the database could not be read",
    }),
  },
  { description: "Data that was replaced or damaged, and is kept" },
);
export type PreviousData = Type.Static<typeof PreviousData>;

export const listPreviousData = operation({
  id: "listPreviousData",
  method: "GET",
  path: "/api/aside",
  access: "session",
  says: "Previous data, newest first. It is kept until a person deletes it.",
  status: 200,
  reply: Type.Object({ aside: Type.Array(PreviousData) }),
  errors: sessionErrors,
});

export const restorePreviousData = operation({
  id: "restorePreviousData",
  method: "POST",
  path: "/api/aside/{name}/restore",
  access: "session",
  says: "Restores previous data; the current data becomes previous data.",
  params: nameParam,
  status: 202,
  reply: Reopening,
  errors: inputErrors,
});

export const deletePreviousData = operation({
  id: "deletePreviousData",
  method: "DELETE",
  path: "/api/aside/{name}",
  access: "session",
  says: "Deletes previous data permanently.",
  params: nameParam,
  status: 204,
  errors: inputErrors,
});

export const exportEverything = operation({
  id: "exportEverything",
  method: "GET",
  path: "/api/export",
  access: "download",
  says:
    "Downloads all data, or all data of one game, as a ZIP: events, issues, posts, sessions and clips as JSON Lines, rules and " +
    "settings as JSON, and with `files` the clip files. Secrets are not included.",
  query: Type.Object({
    game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for data without a game" })),
    files: Type.Optional(Type.Boolean({ default: false, description: "Include the clip files" })),
  }),
  status: 200,
  file: "application/zip",
  errors: [
    "unknown_parameter",
    "unauthorized",
    "origin_refused",
    "misdirected",
    "payload_invalid",
    "not_found",
    "internal",
  ],
});

export const Wipe = Type.Object(
  {
    game: Type.String({ description: "The game; `unsorted` for data without a game" }),
    holdings: StoredAmounts,
    dueAt: Type.String({
      description: "Time of the wipe, which can be undone until then; ISO 8601, UTC, milliseconds",
    }),
  },
  { description: "A planned wipe of a game" },
);
export type Wipe = Type.Static<typeof Wipe>;

export const listWipes = operation({
  id: "listWipes",
  method: "GET",
  path: "/api/wipes",
  access: "session",
  says: "The planned wipes.",
  status: 200,
  reply: Type.Object({ wipes: Type.Array(Wipe) }),
  errors: sessionErrors,
});

export const wipeGame = operation({
  id: "wipeGame",
  method: "POST",
  path: "/api/wipes",
  access: "session",
  says:
    "Wipes all data of a game: events, clips with their files, issues, posts, sessions and rules. The launcher's own backups are " +
    "replaced by a new one. The wipe starts after half a minute, during which it can be undone, and restarts the launcher. " +
    "Backups that a person made, previous data, and a post that is being sent are kept.",
  body: Type.Object({
    game: Type.String({ minLength: 1, maxLength: 100, description: "the game; `unsorted` for data without a game" }),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: "Only reports what would be deleted" })),
  }),
  status: 202,
  reply: Wipe,
  errors: inputErrors,
});

export const undoWipe = operation({
  id: "undoWipe",
  method: "DELETE",
  path: "/api/wipes",
  access: "session",
  says: "Cancels a planned wipe.",
  query: Type.Object({ game: Type.String({ description: "the game" }) }),
  status: 204,
  errors: inputErrors,
});

export const wipeAll = operation({
  id: "wipeAll",
  method: "POST",
  path: "/api/wipe-all",
  access: "session",
  says:
    "Wipes all data except secrets, sign-in sessions and decisions on web origins. The data becomes previous data, which can be " +
    "restored until it is deleted. The launcher restarts.",
  body: Type.Object({
    confirm: Type.Literal("wipe all", { description: "the words `wipe all`" }),
  }),
  status: 202,
  reply: Reopening,
  errors: inputErrors,
});
