// Creates the data slice. Every other slice supplies the functions that count, export and wipe its own data.
import { join } from "node:path";
import { recorderDefaults } from "@kit/contract";
import { kitInWords, kitVersion } from "../config.ts";
import {
  createDataService,
  type DataService,
  type ExportDeps,
  type ExportFile,
  type ExportPart,
} from "../data/index.ts";
import { createGameDataStore, createLibraryStore, exportSessions, loadLabels } from "../games/index.ts";
import { copyAdmission } from "../http/admission-store.ts";
import { createEventExportStore, exportEvents } from "../inbox/index.ts";
import { createTargetStore } from "../monitor/forwarding/forwarding-store.ts";
import { keepForwarding } from "../monitor/forwarding/restored-forwarding-store.ts";
import { createIssueExportStore } from "../monitor/issues/issue-export-store.ts";
import { createNoticeStore } from "../monitor/notices/notice-store.ts";
import { minFreeBytes, readDiskSpace } from "../recording/clips/cleanup.ts";
import { createClipDataStore } from "../recording/clips/clip-data-store.ts";
import { createClipStore } from "../recording/clips/clip-store.ts";
import { loadRecordingRules } from "../recording/plans/rule-store.ts";
import { loadRecorderSettings } from "../recording/settings/setting-store.ts";
import { createAccountStore } from "../social/accounts/account-store.ts";
import { createPostStore } from "../social/posts/post-store.ts";
import { createPostExportStore } from "../social/posts/posts-for-others-store.ts";
import { createPostRuleStore } from "../social/rules/rule-store.ts";
import type { Storage } from "../storage/storage.ts";
import { runDatabaseFileTask } from "../storage/threads/database-file-task.ts";
import type { SharedDeps } from "./slices.ts";

type Game = string | null | undefined;
const postsPerPage = 100;
async function* readPages<T>(page: (after: number) => Promise<{ values: readonly T[]; next: number | undefined }>) {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const { values, next }: { values: readonly T[]; next: number | undefined } = await page(after);
    yield* values;
    after = next;
  }
}

async function* exportPosts({ storage }: SharedDeps, game: Game) {
  const store = createPostStore(storage);
  const wanted = game === undefined ? null : (game ?? "unsorted");
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let more = true; more; ) {
    const page = await store.list({ state: null, needs: false, game: wanted, beforeSeq }, postsPerPage);
    for (const { post } of page.kept) yield post;
    beforeSeq = page.kept.at(-1)?.seq ?? 0;
    more = page.more;
  }
}

function readClips({ storage, config }: SharedDeps, game: Game) {
  const store = createClipDataStore(storage);
  return readPages(async (after) => {
    const { clips, next } = await store.clipsAfter(after, game, config.clipsDir);
    return { values: clips, next };
  });
}

const archivePath = (file: string) => `clips/${file.replaceAll("\\", "/")}`;

/** Yields the files of clips, named as in the clips folder. A file in the trash gets the name it had before. */
async function* exportFiles(shared: SharedDeps, game: Game): AsyncGenerator<ExportFile> {
  const named = new Set<string>();
  for await (const { clip, file } of readClips(shared, game)) {
    if (file === null || clip.path === null) continue;
    const name = named.has(file) ? join(clip.id, file) : file;
    named.add(file);
    yield { path: clip.path, name: archivePath(name) };
  }
}

/** Replaces the absolute path, which is meaningless on other machines, by the path in the archive. */
async function* exportClips(shared: SharedDeps, game: Game) {
  for await (const { clip, file } of readClips(shared, game)) {
    const { path: _here, ...exported } = clip;
    yield { ...exported, file: file === null ? null : archivePath(file) };
  }
}

async function exportRules({ storage, games }: SharedDeps, game: Game) {
  const isIncluded = (found: string | null) => game === undefined || found === game;
  const { services, games: known, rules } = games.list();
  const [recording, posts, looks] = await Promise.all([
    loadRecordingRules(storage),
    createPostRuleStore(storage).all(),
    loadLabels(storage),
  ]);
  return {
    ...(game === undefined && { services }),
    games: known.filter((one) => isIncluded(one.game)),
    events: rules.filter((one) => isIncluded(one.game)),
    looks: looks.filter(({ eventId }) => isIncluded(games.gameOf("recording", eventId))),
    recording: recording.filter(({ eventId }) => isIncluded(games.gameOf("recording", eventId))),
    posts: posts.filter(({ pattern }) => isIncluded(games.gameOf("social", pattern.split("*", 1)[0] ?? ""))),
  };
}

async function exportSettings({ storage, now }: SharedDeps) {
  const [recorder, posts, notices, forwarding, accounts, library] = await Promise.all([
    loadRecorderSettings(storage),
    createPostRuleStore(storage).settings(),
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

function wireExport(shared: SharedDeps): Omit<ExportDeps, "now"> {
  const issues = createIssueExportStore(shared.storage);
  const parts: ExportPart[] = [
    {
      name: "events.jsonl",
      says: "What games sent, newest first",
      lines: (game) => exportEvents(shared.journal, game),
    },
    { name: "clips.jsonl", says: "Clips, screenshots and markers", lines: (game) => exportClips(shared, game) },
    {
      name: "issues.jsonl",
      says: "Error reports of one kind each, counted",
      lines: (game) => readPages((after) => issues.issuesAfter(after, game)),
    },
    {
      name: "error-reports.jsonl",
      says: "The reports of issues that are kept whole",
      lines: (game) => readPages((after) => issues.reportsAfter(after, game)),
    },
    { name: "posts.jsonl", says: "Posts, and how each delivery ended", lines: (game) => exportPosts(shared, game) },
    { name: "sessions.jsonl", says: "One run of one game each", lines: (game) => exportSessions(shared.storage, game) },
    { name: "rules.json", says: "Games, and what each event id does", value: (game) => exportRules(shared, game) },
    {
      name: "settings.json",
      says: "How Kit is set; of one game there are none",
      value: async (game) => (game === undefined ? exportSettings(shared) : {}),
    },
  ];
  return { parts, files: (game) => exportFiles(shared, game), version: kitVersion };
}

export function wireData(shared: SharedDeps, openedAtMs: number): DataService {
  const { config, storage, dir, now, games, assignment, feed } = shared;
  const { migrations, clipsDir } = config;
  const stores = [
    createEventExportStore(storage, assignment.gameOf),
    createClipDataStore(storage),
    createIssueExportStore(storage),
    createPostExportStore(storage),
    createGameDataStore(storage),
  ];
  return createDataService({
    storage,
    dir,
    clipsDir,
    migrations,
    now,
    openedAtMs,
    diskOf: readDiskSpace,
    minFreeBytes,
    counts: stores.map(({ count }) => count),
    copyAdmission: () => copyAdmission(storage),
    keepForwarding: () => keepForwarding(storage),
    runFileTask: runDatabaseFileTask,
    clips: createClipStore(storage, clipsDir, () => undefined).usage,
    quotaBytes: () => loadQuota(storage),
    hasGame: (game) => games.list().games.some((known) => known.game === game),
    exporting: wireExport(shared),
    commandOptions: { program: kitInWords(), options: config.dataDirOption },
    onChanged: () => feed.notifyChange("storage"),
  });
}

async function loadQuota(storage: Storage): Promise<number> {
  const { quotaBytes } = await loadRecorderSettings(storage);
  return typeof quotaBytes === "number" ? quotaBytes : recorderDefaults.quotaBytes;
}
