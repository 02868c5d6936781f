// Documentation examples for the game library.
import {
  allSwitchesOn,
  type BodyOf,
  changeLibraryGame,
  type LibraryGame,
  listLibrary,
  type Operation,
  playGame,
  type ReplyOf,
  setCover,
} from "@kit/contract";

const command = {
  program: "/home/ada/games/my_game/my_game.x86_64",
  arguments: ["--windowed"],
  folder: "/home/ada/games/my_game",
};

const game: LibraryGame = {
  game: "my_game",
  name: "My Game",
  named: true,
  registered: true,
  switches: allSwitchesOn,
  cover: "picture",
  coverVersion: "Jq0yJ1rW3dVbq5oUuYHnLA",
  icon: "b1wQm7sTz0pX4nUeYh2RkA",
  command,
  commandFrom: "person",
  playing: false,
  session: "019ceb45-e6f5-7d21-8c30-7e1f9a0b4c62",
  lastPlayedAt: "2026-03-14T09:20:02.117Z",
  sessions: 14,
  playedSeconds: 31_260,
  clips: 22,
  issues: 3,
  drafts: 1,
};

type Show = <O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }) => void;

export function showLibrary(show: Show): void {
  show(listLibrary, { reply: { games: [game] } });
  show(changeLibraryGame, { body: { game: "my_game", name: "My Game", command }, reply: game });
  show(playGame, { reply: { pid: 41_190 } });
  show(setCover, { body: { clip: "019ceb4c-2f10-7a44-b1c2-0d9e8f7a6b5c" }, reply: game });
}
