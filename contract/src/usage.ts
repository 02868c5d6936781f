// What uses the disk, by kind and by game.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

/** What is kept of a game, or of all: rows counted exactly, files in bytes. */
export const StoredAmounts = Type.Object(
  {
    events: Type.Integer(),
    clips: Type.Integer({ description: "Clips, screenshots and markers, those in the bin included" }),
    clipBytes: Type.Integer({ description: "Their files, in bytes" }),
    pinned: Type.Integer({ description: "Pinned ones among the clips" }),
    issues: Type.Integer(),
    posts: Type.Integer(),
    sessions: Type.Integer(),
  },
  { description: "What is kept" },
);
export type StoredAmounts = Type.Static<typeof StoredAmounts>;

export const Usage = Type.Object(
  {
    dataDir: Type.String({ description: "Where it lies" }),
    clipsDir: Type.String(),
    disk: Type.Object({ freeBytes: Type.Integer(), totalBytes: Type.Integer() }, { description: "That of the clips" }),
    lowDisk: Type.Boolean({ description: "So little is free that no clip is cut" }),
    bytes: Type.Object(
      {
        clips: Type.Integer({ description: "Files of clips that are not in the bin" }),
        bin: Type.Integer(),
        copies: Type.Integer({ description: "Copies made for posts and exports; they are made again when needed" }),
        database: Type.Integer(),
        backups: Type.Integer(),
        aside: Type.Integer({ description: "What was set aside by a restore, a wipe or a repair" }),
      },
      { description: "What holds how many bytes" },
    ),
    quotaBytes: Type.Integer({ description: "What the clips may hold" }),
    games: Type.Array(Type.Object({ game: nullable(Type.String(), "null is unsorted"), ...StoredAmounts.properties }), {
      description: "The one whose clips hold most first",
    }),
  },
  { description: "What uses the disk" },
);
export type Usage = Type.Static<typeof Usage>;

export const getUsage = operation({
  id: "getUsage",
  method: "GET",
  path: "/api/usage",
  access: "session",
  says: "What uses the disk, by kind and by game.",
  status: 200,
  reply: Usage,
  errors: sessionErrors,
});
