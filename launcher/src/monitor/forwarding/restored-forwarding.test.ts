// Tests that a restored backup never widens what a person agreed to: neither the games of a target, nor since when it gets them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { migrations } from "../../../test/support/storage-folder.ts";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import { runDatabaseFileTask } from "../../storage/threads/database-file-task.ts";
import { addToCount, emptyReportCount } from "../grouping/group.ts";
import { countForTargets } from "./count-store.ts";
import { keepForwarding } from "./restored-forwarding-store.ts";

/** The folder's database, and backups of it that can be restored as the launcher does. */
async function openRestorable() {
  const folder = await openForwardFolder({ limits: { growthEveryMs: 3_600_000, pauseMs: 0 } });
  const { storage, dir } = folder.monitor;
  let backups = 0;
  const acknowledge = async (game: string) => {
    const { event } = reportWith("No key", { game });
    await storage.write(sql`
      INSERT INTO event (id, kind, payload, acts_on_ms, received_at_ms, status, checksum)
      VALUES (${event.id}, 'monitor', ${JSON.stringify(event.payload)}, ${beganMs}, ${beganMs}, 'accepted', '')`);
  };
  return {
    folder,
    acknowledge,
    backUp() {
      backups += 1;
      const path = join(dir.path, `backup-${backups}.db`);
      using database = new DatabaseSync(dir.database);
      database.prepare("VACUUM INTO ?").run(path);
      return path;
    },
    /** Returns the newest event of the restored data, and how many reports of a game would be forwarded whose number is given. */
    async restore(at: string) {
      const kept = { present: dir.database, statements: await keepForwarding(storage) };
      await runDatabaseFileTask({ type: "prepare", at, migrations, statements: [], kept });
      const database = new DatabaseSync(at);
      const run = ({ text, values }: Statement) => database.prepare(text).all(...values) as unknown as Row[];
      const [newest] = run(sql`SELECT coalesce(max(seq), 0) AS seq FROM event`);
      const targets = run(sql`SELECT game, enabled, agreed_seq, widened_seq FROM forward_target`);
      const forwards = (game: string, seq: number) => {
        const [row] = run(sql`SELECT version, key FROM issue_fingerprint WHERE game = ${game}`);
        const count = emptyReportCount({ game, version: Number(row?.version), key: String(row?.key) }, beganMs);
        addToCount(count, beganMs, "", seq);
        const untold = () => Number(run(sql`SELECT coalesce(sum(untold), 0) AS n FROM forward_count`)[0]?.n);
        const before = untold();
        run(countForTargets([count]));
        return untold() - before;
      };
      return { newest: Number(newest?.seq), targets, forwards, [Symbol.dispose]: () => database.close() };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test("after a restore, a target gets no report from before it, of games old or new, and each one from after it", async () => {
  await using data = await openRestorable();
  const { folder } = data;
  await folder.take([reportWith("No key", { game: "saga" }), reportWith("No key", { game: "quest" })]);
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: "saga" });
  for (const game of ["saga", "quest"]) await data.acknowledge(game);
  const narrow = data.backUp();
  // The present data has numbers that the restored data gives again to other reports.
  for (let n = 0; n < 5; n += 1) await data.acknowledge("quest");
  await folder.change(id, { game: null });
  await data.acknowledge("quest");
  using restored = await data.restore(narrow);
  const { newest } = restored;
  assert.equal(newest, 2);
  for (const game of ["saga", "quest"]) {
    assert.equal(restored.forwards(game, newest), 0, `${game}, from before the restore`);
    assert.equal(restored.forwards(game, newest + 1), 1, `${game}, from after it`);
  }
});

test("a restored backup neither switches a target on, nor gives it games that a person took from it since", async () => {
  await using data = await openRestorable();
  const { folder } = data;
  await folder.take([reportWith("No key", { game: "saga" }), reportWith("No key", { game: "quest" })]);
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: "saga" });
  await data.acknowledge("quest");
  await folder.change(id, { game: null });
  await data.acknowledge("quest");
  const wide = data.backUp();
  await folder.change(id, { game: "saga" });
  {
    using restored = await data.restore(wide);
    const after = restored.newest + 1;
    assert.deepEqual([restored.forwards("quest", after), restored.forwards("saga", after)], [0, 1]);
  }
  const again = data.backUp();
  await folder.change(id, { enabled: false });
  using restored = await data.restore(again);
  assert.deepEqual(
    restored.targets.map(({ game, enabled }) => [game, enabled]),
    [["saga", 0]],
  );
  assert.equal(restored.forwards("saga", restored.newest + 1), 0);
});
