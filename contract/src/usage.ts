// The operation that returns the disk usage, by kind of data and by game.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

/** Exact counts of stored rows and of bytes in files, for one game or for all. */
export const StoredAmounts = Type.Object(
  {
    events: Type.Integer(),
    clips: Type.Integer({ description: "Clips, screenshots and markers, including those in the trash" }),
    clipBytes: Type.Integer({ description: "Size of their files in bytes" }),
    pinned: Type.Integer({ description: "Number of pinned clips" }),
    issues: Type.Integer(),
    posts: Type.Integer(),
    sessions: Type.Integer(),
  },
  { description: "Amounts of stored data" },
);
export type StoredAmounts = Type.Static<typeof StoredAmounts>;

export const DiskUsage = Type.Object(
  {
    dataDir: Type.String({ description: "The data folder" }),
    clipsDir: Type.String(),
    disk: Type.Object(
      { freeBytes: Type.Integer(), totalBytes: Type.Integer() },
      { description: "The disk of the clips folder" },
    ),
    lowDisk: Type.Boolean({ description: "True if so little space is free that no clips are saved" }),
    bytes: Type.Object(
      {
        clips: Type.Integer({ description: "Files of clips that are not in the trash" }),
        bin: Type.Integer(),
        copies: Type.Integer({ description: "Copies for posts and exports, which are made again when needed" }),
        database: Type.Integer(),
        backups: Type.Integer(),
        aside: Type.Integer({ description: "Previous data after a restore, a wipe or a repair" }),
      },
      { description: "Bytes by kind of data" },
    ),
    quotaBytes: Type.Integer({ description: "Maximum size of all clips" }),
    games: Type.Array(Type.Object({ game: nullable(Type.String(), "null is unsorted"), ...StoredAmounts.properties }), {
      description: "The game with the largest clips first",
    }),
  },
  { description: "Disk usage" },
);
export type DiskUsage = Type.Static<typeof DiskUsage>;

export const getDiskUsage = operation({
  id: "getDiskUsage",
  method: "GET",
  path: "/api/usage",
  access: "session",
  says: "Disk usage by kind of data and by game.",
  status: 200,
  reply: DiskUsage,
  errors: sessionErrors,
});

const CommandOptions = Type.Object({
  program: Type.String({ description: "What a person types in a terminal, `kit`, or `npx kit` in Kit's sources" }),
  options: Type.String({ description: 'e.g. `--data-dir "/mnt/kit"`; empty if a command needs none' }),
});
export type CommandOptions = Type.Static<typeof CommandOptions>;

export const getCommandOptions = operation({
  id: "getCommandOptions",
  method: "GET",
  path: "/api/command-options",
  access: "public",
  says:
    "How a `kit` command on this computer begins, and the options that it needs to reach this launcher. Needs no session, because " +
    "such a command signs a browser in.",
  status: 200,
  reply: CommandOptions,
  errors: ["origin_refused", "misdirected", "internal"],
});
