// Where the source of a game lies, and which editor opens it.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { changeErrors } from "./problem.ts";

/** The first four open a file by a link; the others are shown the path. */
export const editors = ["vscode", "vscodium", "cursor", "rider", "godot", "gamemaker", "other"] as const;
export const Editor = Type.Enum(editors, {
  description:
    "vscode, vscodium, cursor and rider are opened by links; for godot, gamemaker and other there is the path",
});
export type Editor = (typeof editors)[number];

export const GameSource = Type.Object(
  {
    game: Type.String(),
    root: Type.String({ description: "The folder of its project" }),
    editor: Editor,
    problem: nullable(Type.String(), "Why no file can be found there now; null: nothing is wrong"),
  },
  { description: "Where a developer keeps the source of a game" },
);
export type GameSource = Type.Static<typeof GameSource>;

export const listSources = operation({
  id: "listSources",
  method: "GET",
  path: "/api/games/sources",
  access: "session",
  says: "Where the source of which game lies.",
  status: 200,
  reply: Type.Object({ sources: Type.Array(GameSource) }),
  errors: changeErrors,
});

export const setSource = operation({
  id: "setSource",
  method: "PUT",
  path: "/api/games/sources",
  access: "session",
  says: "Says where the source of a game lies, so that the frames of its errors can be opened in an editor.",
  body: Type.Object({
    game: Type.String({ minLength: 1, maxLength: 200, description: "1 to 200 characters: a game" }),
    root: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "1 to 1,000 characters: the absolute path of a folder that is there",
    }),
    editor: Type.Optional(Editor),
  }),
  status: 200,
  reply: GameSource,
  errors: changeErrors,
});

export const forgetSource = operation({
  id: "forgetSource",
  method: "DELETE",
  path: "/api/games/sources",
  access: "session",
  says: "Forgets where the source of a game lies.",
  query: Type.Object({ game: Type.String({ description: "a game whose source is known" }) }),
  status: 204,
  errors: changeErrors,
});
