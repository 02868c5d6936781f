// What an export is made of: each slice's own, page by page.
import { join } from "node:path";
import type { ExportFile, ExportNeeds, ExportPart } from "../data/export/export.ts";
import type { Games } from "../games/games.ts";
import { loadLabels } from "../games/labels/label-store.ts";
import { createLibraryStore } from "../games/library/library-store.ts";
import { showSession } from "../games/sessions/open-session.ts";
import { createSessionStore } from "../games/sessions/session-store.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import { createTargetStore } from "../monitor/forwarding/target-store.ts";
import { createIssueExportStore } from "../monitor/issue-export-store.ts";
import { createNoticeStore } from "../monitor/notices/notice-store.ts";
import { createClipExportStore } from "../recording/clips/clip-export-store.ts";
import { loadRules } from "../recording/moments/rule-store.ts";
import { loadSettings } from "../recording/settings/setting-store.ts";
import { createAccountStore } from "../social/accounts/account-store.ts";
import { createPostStore } from "../social/posts/post-store.ts";
import { createRuleStore } from "../social/rules/rule-store.ts";
import type { Storage } from "../storage/storage.ts";

type Game = string | null | undefined;
type Given = {
  readonly storage: Storage;
  readonly clipsDir: string;
  readonly games: Games;
  readonly journal: InboxStore;
  readonly version: string;
};

const eventsAtOnce = 500;
const sessionsAtOnce = 200;
const postsAtOnce = 100;
/** As lists of the wire name it; null asks for all. */
const listedAs = (game: Game) => (game === undefined ? null : (game ?? "unsorted"));

/** From the newest back to the oldest: what comes meanwhile is not in it. */
async function* eventsOf({ journal }: Given, game: Game) {
  let before = (await journal.ends()).event + 1;
  for (;;) {
    const { entries, whole } = await journal.newest({ kind: null, game: null }, before, eventsAtOnce);
    for (const { event } of entries) if (game === undefined || event.game === game) yield event;
    before = entries.at(-1)?.seq ?? before;
    if (entries.length === 0 || (whole && entries.length < eventsAtOnce)) return;
  }
}

async function* paged<T>(page: (after: number) => Promise<{ values: readonly T[]; next: number | undefined }>) {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const { values, next }: { values: readonly T[]; next: number | undefined } = await page(after);
    yield* values;
    after = next;
  }
}

async function* postsOf({ storage }: Given, game: Game) {
  const store = createPostStore(storage);
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let more = true; more; ) {
    const page = await store.list({ state: null, needs: false, game: listedAs(game), beforeSeq }, postsAtOnce);
    for (const { post } of page.kept) yield post;
    beforeSeq = page.kept.at(-1)?.seq ?? 0;
    more = page.more;
  }
}

async function* sessionsOf({ storage }: Given, game: Game) {
  const store = createSessionStore(storage);
  let before: string | null = null;
  do {
    const page = await store.list(listedAs(game), before, sessionsAtOnce);
    yield* page.map(showSession);
    before = page.length < sessionsAtOnce ? null : (page.at(-1)?.id ?? null);
  } while (before !== null);
}

function clipsOf({ storage, clipsDir }: Given, game: Game) {
  const store = createClipExportStore(storage);
  return paged(async (after) => {
    const { clips, next } = await store.after(after, game, clipsDir);
    return { values: clips, next };
  });
}

const inArchive = (file: string) => `clips/${file.replaceAll("\\", "/")}`;

/** Named as they are in the clips folder; what lies in the bin as it will be named again. */
async function* filesOf(given: Given, game: Game): AsyncGenerator<ExportFile> {
  const named = new Set<string>();
  for await (const { clip, file } of clipsOf(given, game)) {
    if (file === null || clip.path === null) continue;
    const name = named.has(file) ? join(clip.id, file) : file;
    named.add(file);
    yield { path: clip.path, name: inArchive(name) };
  }
}

/** A path on this machine says nothing elsewhere. */
async function* clipLines(given: Given, game: Game) {
  for await (const { clip, file } of clipsOf(given, game)) {
    const { path: _here, ...told } = clip;
    yield { ...told, file: file === null ? null : inArchive(file) };
  }
}

async function rulesOf({ storage, games }: Given, game: Game) {
  const isOf = (found: string | null) => game === undefined || found === game;
  const { services, games: known, rules } = games.list();
  const [recording, posts, looks] = await Promise.all([
    loadRules(storage),
    createRuleStore(storage).all(),
    loadLabels(storage),
  ]);
  return {
    ...(game === undefined && { services }),
    games: known.filter((one) => isOf(one.game)),
    events: rules.filter((one) => isOf(one.game)),
    looks: looks.filter(({ eventId }) => isOf(games.gameOf("recording", eventId))),
    recording: recording.filter(({ eventId }) => isOf(games.gameOf("recording", eventId))),
    posts: posts.filter(({ pattern }) => isOf(games.gameOf("social", pattern.split("*", 1)[0] ?? ""))),
  };
}

async function settingsOf({ storage }: Given, now: () => number) {
  const [recorder, posts, notices, forwarding, accounts, library] = await Promise.all([
    loadSettings(storage),
    createRuleStore(storage).settings(),
    createNoticeStore(storage).settings(),
    createTargetStore(storage, now).all(),
    createAccountStore(storage, now).all(),
    createLibraryStore(storage).entries(),
  ]);
  return {
    recorder,
    posts: Object.fromEntries(posts),
    notices,
    forwarding,
    accounts,
    library: Object.fromEntries(library),
  };
}

export function exportOf(given: Given): Omit<ExportNeeds, "now"> {
  const issues = createIssueExportStore(given.storage);
  const parts: ExportPart[] = [
    { name: "events.jsonl", says: "What games sent, newest first", lines: (game) => eventsOf(given, game) },
    { name: "clips.jsonl", says: "Clips, screenshots and markers", lines: (game) => clipLines(given, game) },
    {
      name: "issues.jsonl",
      says: "Error reports of one kind each, counted",
      lines: (game) => paged((after) => issues.issuesAfter(after, game)),
    },
    {
      name: "error-reports.jsonl",
      says: "The reports of issues that are kept whole",
      lines: (game) => paged((after) => issues.reportsAfter(after, game)),
    },
    { name: "posts.jsonl", says: "Posts, and how each delivery ended", lines: (game) => postsOf(given, game) },
    { name: "sessions.jsonl", says: "One run of one game each", lines: (game) => sessionsOf(given, game) },
    { name: "rules.json", says: "Games, and what each event id does", value: (game) => rulesOf(given, game) },
    {
      name: "settings.json",
      says: "How Kit is set; of one game there are none",
      value: async (game) => (game === undefined ? settingsOf(given, Date.now) : {}),
    },
  ];
  return { parts, files: (game) => filesOf(given, game), version: given.version };
}
