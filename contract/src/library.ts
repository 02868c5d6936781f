// Operations on the library: list the games with their covers and counts, change them, and start them.
import { Type } from "typebox";
import { gamePrefix, Switches, singleLineText } from "./games.ts";
import { nullable } from "./issues.ts";
import { coverBytesMax, gameNameCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const GameCommand = Type.Object(
  {
    program: Type.String({ minLength: 1, maxLength: 4_096, description: "the program's file, as an absolute path" }),
    arguments: Type.Array(Type.String({ maxLength: 4_096 }), {
      maxItems: 100,
      description: "its arguments, up to 100",
    }),
    folder: Type.String({ minLength: 1, maxLength: 4_096, description: "the folder it runs in, as an absolute path" }),
  },
  { description: "The command that starts a game, without a shell" },
);
export type GameCommand = Type.Static<typeof GameCommand>;

/**
 * Formats a command for people. Words with spaces or special characters are quoted, so that each argument can be told
 * apart.
 */
export const formatCommand = ({ program, arguments: words }: Pick<GameCommand, "program" | "arguments">): string =>
  [program, ...words].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");

export const LibraryGame = Type.Object(
  {
    game: Type.String({ description: "The prefix its event ids begin with" }),
    name: Type.String({
      description: "The name from a person or from the game's `kit.events.json`, else its prefix in words",
    }),
    named: Type.Boolean({ description: "False if the name is the prefix in words" }),
    registered: Type.Boolean({ description: "False if Kit only guessed the game from an event id" }),
    switches: Switches,
    cover: Type.Union([Type.Enum(["picture", "clip"]), Type.Null()], {
      description:
        "picture: chosen by a person; clip: from its best clip; null: none yet. The picture is at /api/library/{game}/cover",
    }),
    coverVersion: Type.String({ description: "Changes whenever the cover changes" }),
    icon: nullable(
      Type.String(),
      "Changes whenever the program's icon changes; null if there is none. The icon is at /api/library/{game}/icon",
    ),
    command: nullable(GameCommand, "The command that Play runs; null if unknown"),
    commandFrom: nullable(
      Type.Enum(["person", "backup", "program"]),
      "person: entered or accepted by a person; backup: from a restored backup of another Kit; program: the program that sent its " +
        "events, or whose window a person added. The last two are only proposals, which Play does not run until a person accepts them",
    ),
    playing: Type.Boolean({ description: "True while one of its sessions is running" }),
    session: nullable(Type.String(), "Id of its newest session"),
    lastPlayedAt: nullable(Instant, "Start of its newest session"),
    sessions: Type.Integer(),
    playedSeconds: Type.Integer({ description: "Total length of its sessions in seconds" }),
    clips: Type.Integer({ description: "Number of saved clips and screenshots" }),
    issues: Type.Integer({ description: "Number of open and regressed issues" }),
    drafts: Type.Integer({ description: "Number of posts that wait for a person" }),
  },
  { description: "A game in the library" },
);
export type LibraryGame = Type.Static<typeof LibraryGame>;

const gameParam = Type.Object({ game: Type.String({ description: "The game's prefix" }) });

export const listLibrary = operation({
  id: "listLibrary",
  method: "GET",
  path: "/api/library",
  access: "session",
  says: "The games, the most recently played first.",
  status: 200,
  reply: Type.Object({ games: Type.Array(LibraryGame) }),
  errors: sessionErrors,
});

export const addLibraryGame = operation({
  id: "addLibraryGame",
  method: "POST",
  path: "/api/library",
  access: "session",
  says:
    "Adds a running program as a game. From then on, Kit notices when the program starts and ends, and proposes its command. " +
    "If the program already is a game, that game keeps its name.",
  body: Type.Object({
    pid: Type.Integer({
      minimum: 1,
      description: "a process id, such as that of a window in the list of recorder sources",
    }),
    name: singleLineText(gameNameCharsMax, "the name of the game, from which its prefix is made"),
  }),
  status: 200,
  reply: LibraryGame,
  errors: inputErrors,
});

export const changeLibraryGame = operation({
  id: "changeLibraryGame",
  method: "PUT",
  path: "/api/library",
  access: "session",
  says: "Sets the name or the command of a game. A member that is left out is unchanged.",
  body: Type.Object({
    game: gamePrefix,
    name: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: gameNameCharsMax, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$" }),
        `1 to ${gameNameCharsMax} characters in one line, or null for its prefix in words`,
      ),
    ),
    command: Type.Optional(nullable(GameCommand, "the command that Play runs, or null to remove it")),
  }),
  status: 200,
  reply: LibraryGame,
  errors: inputErrors,
});

export const playGame = operation({
  id: "playGame",
  method: "POST",
  path: "/api/library/{game}/play",
  access: "session",
  says: "Starts a game through `kit run`. Replies once the process is running.",
  params: gameParam,
  status: 202,
  reply: Type.Object({ pid: Type.Integer({ description: "Id of the `kit run` process" }) }),
  errors: [...inputErrors, "too_many_requests"],
});

export const setCover = operation({
  id: "setCover",
  method: "PUT",
  path: "/api/library/{game}/cover",
  access: "session",
  says: "Sets a game's cover: a picture, the poster of a clip, or null for the poster of its best clip.",
  params: gameParam,
  body: Type.Object({
    picture: Type.Optional(
      nullable(
        Type.String({ contentEncoding: "base64", maxLength: Math.ceil(coverBytesMax / 3) * 4 }),
        `a JPEG, PNG or WebP of up to ${coverBytesMax} bytes, as base64; null removes it`,
      ),
    ),
    clip: Type.Optional(Type.String({ maxLength: 64, description: "id of a clip whose poster is copied" })),
  }),
  status: 200,
  reply: LibraryGame,
  errors: inputErrors,
});

const versionQuery = (member: string) =>
  Type.Object({ v: Type.Optional(Type.String({ maxLength: 64, description: `\`${member}\`, for caches` })) });

export const getCover = operation({
  id: "getCover",
  method: "GET",
  path: "/api/library/{game}/cover",
  access: "media",
  says: "A game's cover.",
  params: gameParam,
  query: versionQuery("coverVersion"),
  status: 200,
  file: "image/*",
  errors: ["unknown_parameter", "unauthorized", "origin_refused", "misdirected", "not_found", "internal"],
});

export const getIcon = operation({
  id: "getIcon",
  method: "GET",
  path: "/api/library/{game}/icon",
  access: "media",
  says: "The icon of a game's program, from a picture file next to it.",
  params: gameParam,
  query: versionQuery("icon"),
  status: 200,
  file: "image/*",
  errors: ["unknown_parameter", "unauthorized", "origin_refused", "misdirected", "not_found", "internal"],
});
