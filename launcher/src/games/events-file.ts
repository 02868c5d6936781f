// Exports the settings of a game's event ids as kit.events.json, and imports such a file completely or not at all.
import {
  bodyBytesMax,
  type EventIcon,
  type EventInFile,
  type EventsFile,
  type EventsFileChange,
  eventIdCharsMax,
  eventsFileIdsMax,
  type FieldError,
  fieldError,
  KitError,
  type Message,
  type RecordingRule,
  recordingRuleDefaults,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../async.ts";
import type { Storage } from "../storage/storage.ts";
import type { LabelOverride } from "./game-store.ts";
import type { GameRegistry } from "./games.ts";
import type { PlannedChange } from "./labels/labels.ts";

// The settings of an event id: their forms in the file and in the launcher, and the changes from one to another.

type RecordingRuleMembers = Omit<RecordingRule, "eventId" | "changed">;

type EventIdSettings = LabelOverride & {
  /** The recording rule; null for the default rule. */
  readonly recording: RecordingRuleMembers | null;
};

const defaultSettings: EventIdSettings = { label: null, icon: null, postText: null, recording: null };

const memberNames = Object.keys(recordingRuleDefaults) as (keyof RecordingRuleMembers)[];
/** Rounds seconds to milliseconds, as the database stores them. */
const round = <T>(value: T) => (typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value);

/** Fills in missing members. Returns null if the result is the default rule. */
function normalizeRule(rule: Partial<RecordingRuleMembers> | null): RecordingRuleMembers | null {
  if (rule === null) return null;
  const values = memberNames.map((name) => [name, round(rule[name] ?? recordingRuleDefaults[name])]);
  const isDefault = values.every(
    ([name, value]) => value === recordingRuleDefaults[name as keyof RecordingRuleMembers],
  );
  return isDefault ? null : (Object.fromEntries(values) as RecordingRuleMembers);
}

/** Returns the settings after an import. A setting that the file leaves out stays, or with `replace` becomes the default. */
function applyFileEntry(now: EventIdSettings, file: EventInFile, replace: boolean): EventIdSettings {
  const base = replace ? defaultSettings : now;
  return {
    label: file.label === undefined ? base.label : file.label.trim(),
    icon: file.icon ?? base.icon,
    postText: file.post === undefined ? base.postText : file.post.text,
    recording: file.recording === undefined ? base.recording : normalizeRule({ ...base.recording, ...file.recording }),
  };
}

const toFileEntry = ({ label, icon, postText, recording }: EventIdSettings): EventInFile => ({
  ...(label === null ? {} : { label }),
  ...(icon === null ? {} : { icon: icon as EventIcon }),
  ...(recording === null ? {} : { recording }),
  ...(postText === null ? {} : { post: { text: postText } }),
});

const hasNoSettings = (known: EventIdSettings): boolean => Object.keys(toFileEntry(known)).length === 0;

const describeValue = (name: keyof RecordingRuleMembers, { [name]: value }: RecordingRuleMembers) =>
  name.endsWith("Seconds") ? `${value} s` : String(value);

function listSettingChanges(eventId: string, from: EventIdSettings, to: EventIdSettings): EventsFileChange[] {
  const was = from.recording ?? recordingRuleDefaults;
  const is = to.recording ?? recordingRuleDefaults;
  const rows: (readonly [what: string, from: string, to: string])[] = [
    ["label", from.label ?? "", to.label ?? ""],
    ["icon", from.icon ?? "", to.icon ?? ""],
    ...memberNames.map((name) => [`recording.${name}`, describeValue(name, was), describeValue(name, is)] as const),
    ["post.text", from.postText ?? "", to.postText ?? ""],
  ];
  return rows
    .filter(([, before, then]) => before !== then)
    .map(([what, before, then]) => ({ eventId, what, from: before, to: then }));
}

// The file.

/** Returns the JSON pointer of an event id in the file, or of one of its members. */
const pointerTo = (eventId: string, member = ""): string =>
  `/events/${eventId.replaceAll("~", "~0").replaceAll("/", "~1")}${member}`;

const control = /\p{Cc}/u;

function findIdProblem(eventId: string, game: string): Message | undefined {
  if (!eventId.startsWith(`${game}_`) || eventId.length === game.length + 1) {
    return message("events_file.other_game", { game });
  }
  if ([...eventId].length > eventIdCharsMax) return message("events_file.long_id", { characters: eventIdCharsMax });
  return control.test(eventId) ? message("events_file.control_characters") : undefined;
}

/** Finds ids that do not belong to this game, or that no game can send. */
const findIdProblems = ({ game, events }: EventsFile): FieldError[] =>
  Object.keys(events).flatMap((eventId) => {
    const problem = findIdProblem(eventId, game);
    return problem === undefined ? [] : [fieldError(pointerTo(eventId), problem)];
  });

/** Finds out whether the undo file would be too large to import. */
const findSizeProblems = (file: EventsFile): FieldError[] =>
  Buffer.byteLength(JSON.stringify(file)) <= bodyBytesMax
    ? []
    : [fieldError("/events", message("events_file.large_undo", { bytes: bodyBytesMax }))];

function assertNoProblems(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw new KitError(
    "payload_invalid",
    `${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}.`,
    problems,
  );
}

export type EventsFilesDeps = {
  readonly games: Pick<
    GameRegistry,
    | "serialize"
    | "planLabels"
    | "planName"
    | "planBuild"
    | "givenName"
    | "givenBuild"
    | "labelOverride"
    | "labelledIds"
    | "gameOf"
    | "hasGame"
    | "isRegistered"
  >;
  /** The recording rules of event ids. */
  readonly rules: {
    readonly serialize: Serialize;
    ruleOf(eventId: string): RecordingRule;
    changedIds(): readonly string[];
    problemsOf(rule: RecordingRule): readonly FieldError[];
    plan(rules: ReadonlyMap<string, RecordingRule | null>): PlannedChange;
  };
  readonly storage: Pick<Storage, "write">;
};

export type EventsImportOptions = { readonly dryRun?: boolean | undefined; readonly replace?: boolean | undefined };
export type EventsImportResult = { changes: EventsFileChange[]; before: EventsFile };

type Change = { readonly eventId: string; readonly from: EventIdSettings; readonly to: EventIdSettings };

/** Returns a text of the file as it is stored: one that the file leaves out stays as it is. */
const applyText = (now: string | null, inFile: string | null | undefined): string | null =>
  inFile === undefined ? now : (inFile?.trim() ?? null);

const hasOwn = (file: EventsFile, name: keyof EventsFile) => file[name] !== undefined;

export function createEventsFiles({ games, rules, storage }: EventsFilesDeps) {
  const currentSettings = (eventId: string): EventIdSettings => {
    const { changed, eventId: _, ...members } = rules.ruleOf(eventId);
    return { ...games.labelOverride(eventId), recording: changed ? normalizeRule(members) : null };
  };
  const belongsTo = (game: string) => (eventId: string) =>
    eventId.startsWith(`${game}_`) &&
    (games.gameOf("recording", eventId) === game || games.gameOf("social", eventId) === game);

  /** Prevents other changes while `work` runs, because it derives its changes and the undo file from the current settings. */
  const runExclusively = <T>(work: () => Promise<T>): Promise<T> => games.serialize(() => rules.serialize(work));

  const ruleAfter = ({ eventId, to }: Change): RecordingRule | null =>
    to.recording && { ...to.recording, eventId, changed: true };
  const findRuleProblems = (changes: readonly Change[]): FieldError[] =>
    changes.flatMap((change) => {
      const rule = ruleAfter(change);
      const isSame = JSON.stringify(change.from.recording) === JSON.stringify(change.to.recording);
      if (rule === null || isSame) return [];
      return rules.problemsOf(rule).map(({ path, message }) => {
        return { path: pointerTo(change.eventId, `/recording${path}`), message };
      });
    });

  const importFile = async (
    file: EventsFile,
    { dryRun = false, replace = false }: EventsImportOptions,
  ): Promise<EventsImportResult> => {
    const { game } = file;
    const all = Object.entries(file.events).map(([eventId, entry]): Change => {
      const from = currentSettings(eventId);
      return { eventId, from, to: applyFileEntry(from, entry, replace) };
    });
    const wasNamed = games.givenName(game);
    const name = applyText(wasNamed, file.name);
    const wasBuild = games.givenBuild(game);
    const build = applyText(wasBuild, file.build);
    const before: EventsFile = {
      kitEvents: 1,
      game,
      ...(hasOwn(file, "name") ? { name: wasNamed } : {}),
      ...(hasOwn(file, "build") ? { build: wasBuild } : {}),
      events: Object.fromEntries(all.map(({ eventId, from }): [string, EventInFile] => [eventId, toFileEntry(from)])),
    };
    assertNoProblems([...findIdProblems(file), ...findRuleProblems(all), ...findSizeProblems(before)]);
    const ofGame = [
      { what: "game", from: games.isRegistered(game) ? game : "", to: game },
      { what: "name", from: wasNamed ?? "", to: name ?? "" },
      { what: "build", from: wasBuild ?? "", to: build ?? "" },
    ].filter(({ from, to }) => from !== to);
    const changes = [
      ...ofGame.map((change): EventsFileChange => ({ eventId: null, ...change })),
      ...all.flatMap(({ eventId, from, to }) => listSettingChanges(eventId, from, to)),
    ];
    if (!dryRun && changes.length > 0) await commit(game, all, { name, build });
    return { changes, before };
  };
  const commit = async (game: string, all: readonly Change[], texts: Record<"name" | "build", string | null>) => {
    const changed = all.filter(({ eventId, from, to }) => listSettingChanges(eventId, from, to).length > 0);
    const overrides = new Map(changed.map(({ eventId, to }) => [eventId, to]));
    const ofRules = changed.filter(({ from, to }) => JSON.stringify(from.recording) !== JSON.stringify(to.recording));
    const planned = [
      games.planLabels(game, overrides),
      games.planName(game, texts.name),
      games.planBuild(game, texts.build),
      rules.plan(new Map(ofRules.map((change) => [change.eventId, ruleAfter(change)]))),
    ];
    await storage.write(...planned.flatMap(({ statements }) => statements));
    for (const { committed } of planned) committed();
  };

  return {
    async export(game: string): Promise<EventsFile> {
      const set = [...new Set([...games.labelledIds(), ...rules.changedIds()])].filter(belongsTo(game)).toSorted();
      const known = set
        .map((eventId) => ({ eventId, known: currentSettings(eventId) }))
        .filter(({ known }) => !hasNoSettings(known));
      if (known.length === 0 && !games.hasGame(game))
        throw new KitError("not_found", message("game.unknown", { game }));
      if (known.length > eventsFileIdsMax) {
        const detail = message("events_file.too_many", { game, count: known.length, most: eventsFileIdsMax });
        throw new KitError("payload_invalid", detail);
      }
      const name = games.givenName(game);
      const build = games.givenBuild(game);
      return {
        kitEvents: 1,
        game,
        ...(name === null ? {} : { name }),
        ...(build === null ? {} : { build }),
        events: Object.fromEntries(known.map((one): [string, EventInFile] => [one.eventId, toFileEntry(one.known)])),
      };
    },
    /** If the file has a problem, changes nothing and rejects with KitError payload_invalid, which names every problem. */
    import: (file: EventsFile, options: EventsImportOptions): Promise<EventsImportResult> =>
      runExclusively(() => importFile(file, options)),
  };
}

export type EventsFiles = ReturnType<typeof createEventsFiles>;
