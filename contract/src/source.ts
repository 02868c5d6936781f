// Operations on the source folder of a game and the editor that opens its files.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";

/** The first four can open a file through a link. For the others, the dashboard shows the file's path. */
export const editors = ["vscode", "vscodium", "cursor", "rider", "godot", "gamemaker", "other"] as const;
export const Editor = Type.Enum(editors, {
  description:
    "vscode, vscodium, cursor and rider open files through links; for godot, gamemaker and other, the path is shown",
});
export type Editor = (typeof editors)[number];

export const SourceFolder = Type.Object(
  {
    game: Type.String(),
    root: Type.String({ description: "The game's project folder" }),
    editor: Editor,
    problem: nullable(messageSchema(), "Why no file can be found in the folder now; null if there is no problem"),
  },
  { description: "The source folder of a game" },
);
export type SourceFolder = Type.Static<typeof SourceFolder>;

export const listSourceFolders = operation({
  id: "listSourceFolders",
  method: "GET",
  path: "/api/games/sources",
  access: "session",
  says: "The source folders of all games.",
  status: 200,
  reply: Type.Object({ sources: Type.Array(SourceFolder) }),
  errors: inputErrors,
});

export const setSourceFolder = operation({
  id: "setSourceFolder",
  method: "PUT",
  path: "/api/games/sources",
  access: "session",
  says: "Sets the source folder of a game, so that stack frames can be opened in an editor.",
  body: Type.Object({
    game: Type.String({ minLength: 1, maxLength: 200, description: "1 to 200 characters: the prefix of a game" }),
    root: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: "1 to 1,000 characters: the absolute path of an existing folder",
    }),
    editor: Type.Optional(Editor),
  }),
  status: 200,
  reply: SourceFolder,
  errors: inputErrors,
});

export const forgetSourceFolder = operation({
  id: "forgetSourceFolder",
  method: "DELETE",
  path: "/api/games/sources",
  access: "session",
  says: "Removes the source folder setting of a game.",
  query: Type.Object({ game: Type.String({ description: "a game whose source folder is set" }) }),
  status: 204,
  errors: inputErrors,
});
