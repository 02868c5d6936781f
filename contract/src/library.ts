// The library of games: what a person sees of each game, and how Kit starts one for them.
import { Type } from "typebox";
import { gamePrefix, Switches } from "./games.ts";
import { nullable } from "./issues.ts";
import { coverBytesMax, gameNameCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

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
  { description: "How a game is started. No shell reads it" },
);
export type GameCommand = Type.Static<typeof GameCommand>;

/** As a person reads it: every word is told apart, and nothing in it is hidden. */
export const commandInWords = ({ program, arguments: words }: Pick<GameCommand, "program" | "arguments">): string =>
  [program, ...words].map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");

export const LibraryGame = Type.Object(
  {
    game: Type.String({ description: "The prefix its event ids begin with" }),
    name: Type.String({
      description: "What a person or the game's `kit.events.json` calls it, else its prefix in words",
    }),
    named: Type.Boolean({ description: "False while the name is made of the prefix" }),
    registered: Type.Boolean({ description: "False while it is the launcher's guess from an event id" }),
    switches: Switches,
    cover: Type.Union([Type.Enum(["picture", "clip"]), Type.Null()], {
      description:
        "picture: one a person chose; clip: of its best clip; null: none yet. It is at /api/library/{game}/cover",
    }),
    coverVersion: Type.String({ description: "Differs whenever the cover does" }),
    icon: nullable(
      Type.String(),
      "Differs whenever its program's icon does; null: none lies beside the program. It is at /api/library/{game}/icon",
    ),
    command: nullable(GameCommand, "How Play starts it; null: not known"),
    commandFrom: nullable(
      Type.Enum(["person", "backup", "program"]),
      "person: given, or agreed to, by hand; backup: out of a restored file that another Kit made; program: seen to send its events. " +
        "The latter two are only proposed: Play starts none that nobody agreed to",
    ),
    playing: Type.Boolean({ description: "A session of it goes on" }),
    session: nullable(Type.String(), "Id of its newest session"),
    lastPlayedAt: nullable(Instant, "When its newest session began"),
    sessions: Type.Integer(),
    playedSeconds: Type.Integer({ description: "All its sessions together, in seconds" }),
    clips: Type.Integer({ description: "Clips and screenshots that are saved" }),
    issues: Type.Integer({ description: "Those that are open or came back" }),
    drafts: Type.Integer({ description: "Posts that wait for a person" }),
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
  says: "The games, the one played last first.",
  status: 200,
  reply: Type.Object({ games: Type.Array(LibraryGame) }),
  errors: sessionErrors,
});

export const changeLibraryGame = operation({
  id: "changeLibraryGame",
  method: "PUT",
  path: "/api/library",
  access: "session",
  says: "Names a game, or says how it is started; what is left out stays as it is.",
  body: Type.Object({
    game: gamePrefix,
    name: Type.Optional(
      nullable(
        Type.String({ minLength: 1, maxLength: gameNameCharsMax, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$" }),
        `1 to ${gameNameCharsMax} characters in one line, or null for its prefix in words`,
      ),
    ),
    command: Type.Optional(nullable(GameCommand, "how Play starts it, or null to forget that")),
  }),
  status: 200,
  reply: LibraryGame,
  errors: changeErrors,
});

export const playGame = operation({
  id: "playGame",
  method: "POST",
  path: "/api/library/{game}/play",
  access: "session",
  says: "Starts a game as `kit run` does. The reply comes once its process runs.",
  params: gameParam,
  status: 202,
  reply: Type.Object({ pid: Type.Integer({ description: "Of the process that watches over it" }) }),
  errors: [...changeErrors, "too_many_requests"],
});

export const setCover = operation({
  id: "setCover",
  method: "PUT",
  path: "/api/library/{game}/cover",
  access: "session",
  says: "Gives a game a cover: a picture, the picture of one of its clips, or null for that of its best clip.",
  params: gameParam,
  body: Type.Object({
    picture: Type.Optional(
      nullable(
        Type.String({ contentEncoding: "base64", maxLength: Math.ceil(coverBytesMax / 3) * 4 }),
        `a JPEG, PNG or WebP of up to ${coverBytesMax} bytes, as base64; null takes it away`,
      ),
    ),
    clip: Type.Optional(Type.String({ maxLength: 64, description: "id of a clip whose picture is copied" })),
  }),
  status: 200,
  reply: LibraryGame,
  errors: changeErrors,
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
  errors: ["unauthorized", "origin_refused", "misdirected", "not_found", "internal"],
});

export const getIcon = operation({
  id: "getIcon",
  method: "GET",
  path: "/api/library/{game}/icon",
  access: "media",
  says: "The icon of the program a game runs as: a picture that lies where its engine puts one.",
  params: gameParam,
  query: versionQuery("icon"),
  status: 200,
  file: "image/*",
  errors: ["unauthorized", "origin_refused", "misdirected", "not_found", "internal"],
});
