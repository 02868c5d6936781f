// kit.events.json: what is set for a game's event ids as a file, and a file taken over, all of it or nothing.
import {
  bodyBytesMax,
  type EventInFile,
  type EventsFile,
  type EventsFileChange,
  eventIdCharsMax,
  eventsFileIdsMax,
  type FieldError,
  KitError,
  type RecordingRule,
} from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Games } from "../games.ts";
import type { Planned } from "../labels/labels.ts";
import { after, changesOf, inFile, isNothing, type Known, membersOf } from "./known.ts";

// Where in a kit.events.json something is wrong, beyond what its schema says. Pure.

/** A JSON pointer to a member of an event id. */
const placeOf = (eventId: string, member = ""): string =>
  `/events/${eventId.replaceAll("~", "~0").replaceAll("/", "~1")}${member}`;

const control = /\p{Cc}/u;

function problemOfId(eventId: string, game: string): string | undefined {
  if (!eventId.startsWith(`${game}_`) || eventId.length === game.length + 1) {
    return `is no event of this game: its ids begin with ${game}_ and go on`;
  }
  if ([...eventId].length > eventIdCharsMax) return `is longer than ${eventIdCharsMax} characters`;
  return control.test(eventId) ? "has control characters in it" : undefined;
}

/** Ids that are not this game's, or that no game can send. */
const problemsOfIds = ({ game, events }: EventsFile): FieldError[] =>
  Object.keys(events).flatMap((eventId) => {
    const message = problemOfId(eventId, game);
    return message === undefined ? [] : [{ path: placeOf(eventId), message }];
  });

/** What could not be given back to the launcher must not be taken: there would be no undo. */
const problemsOfSize = (file: EventsFile): FieldError[] =>
  Buffer.byteLength(JSON.stringify(file)) <= bodyBytesMax
    ? []
    : [
        {
          path: "/events",
          message: `replaces so much that it could not be undone in one piece of ${bodyBytesMax} bytes: divide the file`,
        },
      ];

function assertNone(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw new KitError(
    "payload_invalid",
    `${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}.`,
    problems,
  );
}

export type EventsFileNeeds = {
  readonly games: Pick<Games, "serialize" | "plan" | "lookOf" | "lookedIds" | "gameOf" | "knows" | "isRegistered">;
  /** What each event id makes of the screen. */
  readonly rules: {
    readonly serialize: Serialize;
    ruleOf(eventId: string): RecordingRule;
    changedIds(): readonly string[];
    problemsOf(rule: RecordingRule): readonly FieldError[];
    plan(rules: ReadonlyMap<string, RecordingRule | null>): Planned;
  };
  readonly names: {
    /** The name a person gave a game; null: none. */
    nameOf(game: string): Promise<string | null>;
    named(game: string, name: string | null): Statement;
  };
  readonly write: (...statements: Statement[]) => Promise<void>;
};

export type Import = { readonly dryRun?: boolean | undefined; readonly replace?: boolean | undefined };
export type Imported = { changes: EventsFileChange[]; before: EventsFile };

type Change = { readonly eventId: string; readonly from: Known; readonly to: Known };

const hasOwn = (file: EventsFile, name: keyof EventsFile) => file[name] !== undefined;

export function createEventsFile({ games, rules, names, write }: EventsFileNeeds) {
  const knownOf = (eventId: string): Known => {
    const { changed, eventId: _, ...members } = rules.ruleOf(eventId);
    return { ...games.lookOf(eventId), recording: changed ? membersOf(members) : null };
  };
  const isFiledUnder = (game: string) => (eventId: string) =>
    eventId.startsWith(`${game}_`) &&
    (games.gameOf("recording", eventId) === game || games.gameOf("social", eventId) === game);

  /** Nothing else changes while it is looked at: from what is there follow the changes, the undo and what is written. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => games.serialize(() => rules.serialize(work));

  const ruleAfter = ({ eventId, to }: Change): RecordingRule | null =>
    to.recording && { ...to.recording, eventId, changed: true };
  const problemsOfRules = (changes: readonly Change[]): FieldError[] =>
    changes.flatMap((change) => {
      const rule = ruleAfter(change);
      const isSame = JSON.stringify(change.from.recording) === JSON.stringify(change.to.recording);
      if (rule === null || isSame) return [];
      return rules.problemsOf(rule).map(({ path, message }) => {
        return { path: placeOf(change.eventId, `/recording${path}`), message };
      });
    });

  const takeOver = async (file: EventsFile, { dryRun = false, replace = false }: Import): Promise<Imported> => {
    const { game } = file;
    const all = Object.entries(file.events).map(([eventId, said]): Change => {
      const from = knownOf(eventId);
      return { eventId, from, to: after(from, said, replace) };
    });
    const wasNamed = await names.nameOf(game);
    const name = file.name === undefined ? wasNamed : (file.name?.trim() ?? null);
    const before: EventsFile = {
      kitEvents: 1,
      game,
      ...(hasOwn(file, "name") ? { name: wasNamed } : {}),
      events: Object.fromEntries(all.map(({ eventId, from }): [string, EventInFile] => [eventId, inFile(from)])),
    };
    assertNone([...problemsOfIds(file), ...problemsOfRules(all), ...problemsOfSize(before)]);
    const ofGame = [
      { what: "game", from: games.isRegistered(game) ? game : "", to: game },
      { what: "name", from: wasNamed ?? "", to: name ?? "" },
    ].filter(({ from, to }) => from !== to);
    const changes = [
      ...ofGame.map((change): EventsFileChange => ({ eventId: null, ...change })),
      ...all.flatMap(({ eventId, from, to }) => changesOf(eventId, from, to)),
    ];
    if (!dryRun && changes.length > 0) await commit(game, all, name === wasNamed ? [] : [names.named(game, name)]);
    return { changes, before };
  };
  const commit = async (game: string, all: readonly Change[], naming: readonly Statement[]) => {
    const changed = all.filter(({ eventId, from, to }) => changesOf(eventId, from, to).length > 0);
    const looks = new Map(changed.map(({ eventId, to }) => [eventId, to]));
    const ofRules = changed.filter(({ from, to }) => JSON.stringify(from.recording) !== JSON.stringify(to.recording));
    const planned = [
      games.plan(game, looks),
      rules.plan(new Map(ofRules.map((change) => [change.eventId, ruleAfter(change)]))),
    ];
    await write(...planned.flatMap(({ statements }) => statements), ...naming);
    for (const { committed } of planned) committed();
  };

  return {
    async export(game: string): Promise<EventsFile> {
      const set = [...new Set([...games.lookedIds(), ...rules.changedIds()])].filter(isFiledUnder(game)).toSorted();
      const known = set
        .map((eventId) => ({ eventId, known: knownOf(eventId) }))
        .filter(({ known }) => !isNothing(known));
      if (known.length === 0 && !games.knows(game)) throw new KitError("not_found", `There is no game ${game}.`);
      if (known.length > eventsFileIdsMax) {
        const says = `Of ${game} ${known.length} event ids are set, and a file holds ${eventsFileIdsMax}.`;
        throw new KitError("payload_invalid", says);
      }
      const name = await names.nameOf(game);
      return {
        kitEvents: 1,
        game,
        ...(name === null ? {} : { name }),
        events: Object.fromEntries(known.map((one): [string, EventInFile] => [one.eventId, inFile(one.known)])),
      };
    },
    /** Rejects with KitError payload_invalid, naming every place that is wrong; then nothing was changed. */
    import: (file: EventsFile, how: Import): Promise<Imported> => alone(() => takeOver(file, how)),
  };
}

export type EventsFiles = ReturnType<typeof createEventsFile>;
