// Sample games of the library for the browser tests: complete objects in which a test can replace fields.
import { allSwitchesOn, type LibraryGame } from "@kit/contract";
import { sessionIdOf } from "./session-samples.ts";

export const gameOf = (game: string, members: Partial<LibraryGame> = {}): LibraryGame => ({
  game,
  name: game,
  named: false,
  registered: true,
  switches: allSwitchesOn,
  cover: null,
  coverVersion: "",
  icon: null,
  command: null,
  commandFrom: null,
  playing: false,
  session: null,
  lastPlayedAt: null,
  sessions: 0,
  playedSeconds: 0,
  clips: 0,
  issues: 0,
  drafts: 0,
  ...members,
});

const agoOf = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const seenCommand = {
  program: "/games/skyhook/skyhook.x86_64",
  arguments: ["--level", "cloud city"],
  folder: "/games/skyhook",
};

/** A running game, one whose program was only seenCommand, one that was never played, and the demo. */
export const shelf = (): LibraryGame[] => [
  gameOf("lanternwood", {
    name: "Lanternwood",
    named: true,
    cover: "clip",
    coverVersion: "v1",
    command: { program: "/games/lanternwood/Game", arguments: [], folder: "/games/lanternwood" },
    commandFrom: "person",
    playing: true,
    session: sessionIdOf(1),
    lastPlayedAt: agoOf(12),
    sessions: 14,
    playedSeconds: 31_260,
    clips: 22,
    issues: 3,
    drafts: 1,
  }),
  gameOf("skyhook", {
    command: seenCommand,
    commandFrom: "program",
    session: sessionIdOf(2),
    lastPlayedAt: agoOf(3_000),
    sessions: 1,
    playedSeconds: 1_260,
    clips: 1,
  }),
  gameOf("a_game_with_a_name_that_goes_on_and_on_and_on", { name: "a game with a name that goes on and on and on" }),
  gameOf("kit_demo", {
    name: "Kit's demo",
    session: sessionIdOf(3),
    lastPlayedAt: agoOf(4_000),
    sessions: 1,
    issues: 1,
  }),
];
