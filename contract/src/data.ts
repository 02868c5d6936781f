// What Kit keeps: backups, an export of everything, and wiping it, each with what it will do said before.
import { Type } from "typebox";
import { ownBackupsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, rangedErrors, sessionErrors } from "./problem.ts";
import { StoredAmounts } from "./usage.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const Backup = Type.Object(
  {
    name: Type.String({ description: "Its file's name" }),
    at: Instant,
    bytes: Type.Integer(),
    by: Type.Enum(["launcher", "person"], {
      description: `launcher: made by itself, the newest three are kept; person: the newest ${ownBackupsMax} are kept`,
    }),
  },
  { description: "A whole copy of the database. Clips' files and entrusted secrets are not in it" },
);
export type Backup = Type.Static<typeof Backup>;

const nameParam = Type.Object({ name: Type.String({ pattern: "^[\\w.-]{1,80}$", description: "its file's name" }) });

export const listBackups = operation({
  id: "listBackups",
  method: "GET",
  path: "/api/backups",
  access: "session",
  says: "The backups there are, newest first.",
  status: 200,
  reply: Type.Object({ backups: Type.Array(Backup) }),
  errors: sessionErrors,
});

export const makeBackup = operation({
  id: "makeBackup",
  method: "POST",
  path: "/api/backups",
  access: "session",
  says: "Makes a backup now, and checks it before it says so.",
  status: 201,
  reply: Backup,
  errors: changeErrors,
});

export const deleteBackup = operation({
  id: "deleteBackup",
  method: "DELETE",
  path: "/api/backups/{name}",
  access: "session",
  says: "Deletes a backup for good.",
  params: nameParam,
  status: 204,
  errors: changeErrors,
});

export const getBackupFile = operation({
  id: "getBackupFile",
  method: "GET",
  path: "/api/backups/{name}/file",
  access: "download",
  says: "A backup, as a file to save.",
  params: nameParam,
  status: 200,
  file: "application/vnd.sqlite3",
  ranged: true,
  errors: rangedErrors,
});

/** `reopening`: the launcher closes everything, does it, and opens again, within seconds; a page waits and asks for its health. */
const Reopening = Type.Object({
  reopening: Type.Literal(true),
  aside: Type.String({ description: "Name of what was there before, which `restoreAside` brings back" }),
});

export const restoreBackup = operation({
  id: "restoreBackup",
  method: "POST",
  path: "/api/backups/{name}/restore",
  access: "session",
  says: "Takes a backup instead of the present database, which is set aside. The launcher opens anew; games notice a second at most.",
  params: nameParam,
  status: 202,
  reply: Reopening,
  errors: changeErrors,
});

export const Aside = Type.Object(
  {
    name: Type.String({ description: "Its folder's name" }),
    at: Instant,
    bytes: Type.Integer(),
    why: Type.Enum(["restored", "wiped", "replaced", "damaged"], {
      description:
        "restored: a backup took its place; wiped: all was wiped; replaced: it lay where the open database was; damaged: it could not be read",
    }),
  },
  { description: "What was set aside" },
);
export type Aside = Type.Static<typeof Aside>;

export const listAside = operation({
  id: "listAside",
  method: "GET",
  path: "/api/aside",
  access: "session",
  says: "What was set aside, newest first. It stays until a person deletes it.",
  status: 200,
  reply: Type.Object({ aside: Type.Array(Aside) }),
  errors: sessionErrors,
});

export const restoreAside = operation({
  id: "restoreAside",
  method: "POST",
  path: "/api/aside/{name}/restore",
  access: "session",
  says: "Brings back what was set aside; what is there now is set aside instead.",
  params: nameParam,
  status: 202,
  reply: Reopening,
  errors: changeErrors,
});

export const deleteAside = operation({
  id: "deleteAside",
  method: "DELETE",
  path: "/api/aside/{name}",
  access: "session",
  says: "Deletes what was set aside for good.",
  params: nameParam,
  status: 204,
  errors: changeErrors,
});

export const exportEverything = operation({
  id: "exportEverything",
  method: "GET",
  path: "/api/export",
  access: "download",
  says:
    "Everything Kit keeps, or all of one game, as a ZIP: events, issues, posts, sessions and clips as JSON Lines, rules and settings " +
    "as JSON, and with `files` the clips' files. Entrusted secrets are not in it.",
  query: Type.Object({
    game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for what belongs to none" })),
    files: Type.Optional(Type.Boolean({ default: false, description: "With the clips' files" })),
  }),
  status: 200,
  file: "application/zip",
  errors: ["unauthorized", "origin_refused", "misdirected", "payload_invalid", "not_found", "internal"],
});

export const Wipe = Type.Object(
  {
    game: Type.String({ description: "The game; `unsorted` for what belongs to none" }),
    holdings: StoredAmounts,
    dueAt: Type.String({ description: "When it is done; until then it can be undone; ISO 8601, UTC, milliseconds" }),
  },
  { description: "A game that is about to be wiped" },
);
export type Wipe = Type.Static<typeof Wipe>;

export const listWipes = operation({
  id: "listWipes",
  method: "GET",
  path: "/api/wipes",
  access: "session",
  says: "Games that are about to be wiped.",
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
    "Wipes all that is kept of a game: events, clips and their files, issues, posts, sessions, its rules, and the launcher's own " +
    "backups, of which a new one is made. It begins half a minute later and can be undone until then; the launcher opens anew for it, " +
    "within seconds. Backups a person made stay, so does what was set aside, and a post whose request is out.",
  body: Type.Object({
    game: Type.String({ minLength: 1, maxLength: 100, description: "the game; `unsorted` for what belongs to none" }),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: "Says what would go, and lets it stay" })),
  }),
  status: 202,
  reply: Wipe,
  errors: changeErrors,
});

export const undoWipe = operation({
  id: "undoWipe",
  method: "DELETE",
  path: "/api/wipes",
  access: "session",
  says: "Leaves a game as it is that was about to be wiped.",
  query: Type.Object({ game: Type.String({ description: "the game" }) }),
  status: 204,
  errors: changeErrors,
});

export const wipeAll = operation({
  id: "wipeAll",
  method: "POST",
  path: "/api/wipe-all",
  access: "session",
  says:
    "Begins anew: everything but entrusted secrets and who may get in is set aside, from where it can be brought back until it is deleted. " +
    "The launcher opens anew.",
  body: Type.Object({
    confirm: Type.Literal("wipe all", { description: "the words `wipe all`" }),
  }),
  status: 202,
  reply: Reopening,
  errors: changeErrors,
});
