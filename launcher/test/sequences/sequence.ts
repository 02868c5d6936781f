// What a person, games, networks and bad luck do to Kit, in any order, and the promises that must hold after each step.
import assert from "node:assert/strict";
import {
  type Account,
  addAccount,
  addPostRule,
  approvePost,
  changeAccount,
  changePostRule,
  createPost,
  KitError,
  listAccounts,
  listPostRules,
  listPosts,
  type Post,
  settleDelivery,
  skipPost,
  undoPost,
} from "@kit/contract";
import { markDatabaseOpen } from "../../src/storage/opening.ts";
import { ForwardLedger } from "./forward-ledger.ts";
import { type Life, startLife } from "./life.ts";
import { channelUrl, receiverUrl } from "./network-here.ts";
import { type Damage, damageDatabase } from "./page-damage.ts";
import { type NetworkKind, PostLedger } from "./post-ledger.ts";
import type { Step } from "./steps.ts";
import type { World } from "./world.ts";

/** More quarantines in a day end Kit's repairs. */
const damagesMax = 3;
const texts = ["No key", "No lamp", "No door"];

/** What is known of a database: the acknowledged events, and how many reports. */
type Acknowledged = {
  /** Their ids. */
  readonly events: Set<string>;
  /** Not a number from when Kit said that it lost some until the others are counted. */
  reports: number;
  /** Reports whose launcher was killed before it answered: they may be counted. */
  maybeReports: number;
  /** Kit said that it lost parts of what it stored of the events up to this number. */
  lostUpTo: number;
};
const copyOf = (one: Acknowledged): Acknowledged => ({ ...one, events: new Set(one.events) });

const numberIn = (life: Life, text: string) => Number(life.rows(`SELECT (${text}) AS n`)[0]?.n);
const countOf = (life: Life) =>
  numberIn(
    life,
    "SELECT coalesce((SELECT sum(count) FROM issue_fingerprint), 0) + coalesce((SELECT sum(n) FROM issue_tally), 0)",
  );

export class Sequence {
  readonly #world: World;
  #life: Life | undefined;
  #known: Acknowledged = { events: new Set(), reports: 0, maybeReports: 0, lostUpTo: 0 };
  readonly #backups = new Map<string, Acknowledged>();
  readonly #previous = new Map<string, Acknowledged>();
  readonly log: string[] = [];

  readonly #postLedger = new PostLedger();
  readonly #forwarding: ForwardLedger;
  /** Social triggers that a rule may post without asking: acknowledged since the last restore, and not handed over for certain. */
  #fresh = new Set<string>();
  #isAutomatic = false;
  #triggers = 0;
  #damages = 0;

  constructor(world: World) {
    this.#world = world;
    this.#forwarding = new ForwardLedger(world);
    world.onArrival = (arrival) => this.#postLedger.arrived(arrival);
  }

  async begin(): Promise<void> {
    const life = await this.#open();
    const ids: string[] = [];
    for (const [network, url] of [
      ["discord", channelUrl],
      ["webhook", receiverUrl],
    ] as const) {
      ids.push((await life.call(addAccount, { body: { network, fields: { url } } })).account.id);
      this.#postLedger.accountsOn.add(network);
    }
    const rule = { pattern: "saga_*", accounts: ids, text: "{{eventId}}", attach: "none", approval: "ask" };
    await life.call(addPostRule, { body: { ...rule, cooldownSeconds: 0 } });
    // Kit makes its first backup soon after its first start.
    await this.#backUp(life);
  }

  async run(step: Step): Promise<void> {
    this.log.push(JSON.stringify(step));
    const life = this.#life as Life;
    const doing = this.#do(step, life).catch((error: unknown) => {
      if (!(error instanceof KitError)) throw error;
      this.log.push(`  ${error.message}`);
    });
    await Promise.race([life.over, doing]);
    await this.#rest();
  }

  /** Hands everything over, opens the data once more with all its checks, and compares what Kit has with what it acknowledged. */
  async end(): Promise<void> {
    this.#world.killIn = Number.POSITIVE_INFINITY;
    this.#world.mood = "works";
    for (const step of ["dispatch", "kill", "dispatch", "kill"] as const) await this.run({ do: step });
    const life = this.#life as Life;
    const waiting =
      life.rows(`SELECT kind, event_id FROM event WHERE status = 'accepted' AND seq > ${this.#known.lostUpTo}
      AND NOT EXISTS (SELECT 1 FROM receipt WHERE event_seq = event.seq)`);
    assert.deepEqual(waiting, [], "acknowledged events that no slice handled");
    this.#checkCounts(life);
    await life.stop();
  }

  async dispose(): Promise<void> {
    if (this.#life?.isOver() === false) await this.#life.stop();
  }

  // ——— What happens

  async #do(step: Step, life: Life): Promise<unknown> {
    switch (step.do) {
      case "report":
        return Promise.all(Array.from({ length: step.times }, () => this.#report(texts[step.text] ?? "", life)));
      case "trigger":
        return this.#trigger(step.kind, life);
      case "dispatch":
        return this.#dispatch(life);
      case "advance":
        this.#world.clock.ms += 60_000;
        return this.#restart(life);
      case "restart":
        return this.#restart(life);
      case "kill":
        return life.kill();
      case "killIn":
        this.#world.killIn = step.writes;
        return;
      case "mood":
        this.#world.mood = step.mood;
        return;
      case "automatic":
        return this.#setAutomatic(step.on, life);
      case "clipPost":
        return this.#clipPost(life);
      case "approve":
      case "undo":
      case "skip":
        return this.#decide(step.do, step.which, life);
      case "settle":
        return this.#settlePost(step.which, step.as, life);
      case "account":
        return this.#switchAccount(step.which === 0 ? "discord" : "webhook", step.on, life);
      case "forward":
        return this.#forwarding.switchReports(step.on, step.byInvitation, life);
      case "videos":
        return this.#forwarding.switchVideos(step.on, life);
      case "removeTarget":
        return this.#forwarding.remove(life);
      case "backup":
        return this.#backUp(life);
      case "restore":
        return this.#restore(step.which, life.backups(), this.#backups, life.restoreBackup, life);
      case "previous":
        return this.#restore(step.which, await life.previous(), this.#previous, life.restorePrevious, life);
      case "damage":
        return this.#damage(step.damage, step.unclean, life);
    }
  }

  async #report(message: string, life: Life): Promise<void> {
    this.#known.maybeReports += 1;
    const { id } = await life.accept("monitor", { message, stackTrace: "" });
    this.#known.maybeReports -= 1;
    this.#known.reports += 1;
    this.#known.events.add(id);
  }

  async #trigger(kind: "social" | "recording", life: Life): Promise<void> {
    this.#triggers += 1;
    const eventId = `saga_e${this.#triggers}`;
    if (kind === "social") this.#fresh.add(eventId);
    const { id } = await life.accept(kind, { eventId });
    this.#known.events.add(id);
  }

  async #dispatch(life: Life): Promise<void> {
    if (this.#isAutomatic) for (const eventId of this.#fresh) this.#postLedger.approve(eventId, ["discord", "webhook"]);
    await life.dispatch();
    this.#fresh = new Set();
    if (Number.isNaN(this.#known.reports)) Object.assign(this.#known, { reports: countOf(life), maybeReports: 0 });
  }

  async #setAutomatic(on: boolean, life: Life): Promise<void> {
    const [rule] = (await life.call(listPostRules)).rules;
    if (rule === undefined) return;
    this.#isAutomatic ||= on;
    await life.call(changePostRule, { params: { id: rule.id }, body: { approval: on ? "automatic" : "ask" } });
    this.#isAutomatic = on;
  }

  async #clipPost(life: Life): Promise<void> {
    this.#triggers += 1;
    const accounts = (await this.#accounts(life)).filter(({ enabled }) => enabled).map(({ id }) => id);
    await life.call(createPost, { body: { clip: "clip-1", text: `clip ${this.#triggers}`, accounts } });
  }

  async #posts(life: Life): Promise<Post[]> {
    return [...(await life.call(listPosts)).posts];
  }

  async #decide(what: "approve" | "undo" | "skip", which: number, life: Life): Promise<void> {
    const posts = (await this.#posts(life)).filter(({ state }) =>
      what === "undo" ? ["approved", "skipped"].includes(state) : ["draft", "held"].includes(state),
    );
    const post = posts[which % posts.length];
    if (post === undefined) return;
    const params = { id: post.id };
    if (what === "approve") {
      const takeBack = this.#postLedger.approve(
        post.text,
        post.deliveries.map(({ network }) => network as NetworkKind),
      );
      await life.call(approvePost, { params }).catch((error: unknown) => {
        takeBack();
        throw error;
      });
      return;
    }
    await life.call(what === "undo" ? undoPost : skipPost, { params });
    this.#postLedger.withdraw(post.text);
  }

  async #settlePost(which: number, as: "again" | "sent" | "dropped", life: Life): Promise<void> {
    const open = (await this.#posts(life)).flatMap((post) =>
      post.deliveries
        .filter(({ state }) => state === "maybe" || state === "failed")
        .map((delivery) => ({ post, delivery })),
    );
    const found = open[which % open.length];
    if (found === undefined) return;
    const { post, delivery } = found;
    const network = delivery.network as NetworkKind;
    if (as === "again") this.#postLedger.approve(post.text, [network]);
    if (as === "sent") this.#postLedger.saySent(network, post.text);
    await life.call(settleDelivery, { params: { id: post.id, account: delivery.account }, body: { as } });
  }

  async #accounts(life: Life): Promise<Account[]> {
    return [...(await life.call(listAccounts)).accounts];
  }

  async #switchAccount(network: NetworkKind, on: boolean, life: Life): Promise<void> {
    const account = (await this.#accounts(life)).find((one) => one.network === network);
    if (account === undefined) return;
    if (on) this.#postLedger.accountsOn.add(network);
    await life.call(changeAccount, { params: { id: account.id }, body: { enabled: on } });
    if (!on) this.#postLedger.accountsOn.delete(network);
  }

  // ——— Backups, restores, ends and damage

  async #backUp(life: Life): Promise<void> {
    // A backup that does not pass its check is refused.
    const name = await life.backUp().catch((error: Error) => this.log.push(`  ${error.message}`));
    if (typeof name === "string") this.#backups.set(name, copyOf(this.#known));
  }

  async #restart(life: Life): Promise<void> {
    await life.stop();
    await this.#open();
  }

  async #restore(
    which: number,
    names: readonly string[],
    known: ReadonlyMap<string, Acknowledged>,
    restore: (name: string) => Promise<string>,
    life: Life,
  ): Promise<void> {
    const possible = names.filter((name) => known.has(name));
    const name = possible[which % possible.length];
    if (name === undefined) return;
    const { killIn } = this.#world;
    this.#world.killIn = Number.POSITIVE_INFINITY;
    this.#world.clock.ms += 1;
    const aside = await restore(name);
    await life.stop();
    this.#world.killIn = killIn;
    this.#previous.set(aside, this.#known);
    this.#known = copyOf(known.get(name) as Acknowledged);
    this.#postLedger.withdrawAll();
    this.#fresh = new Set();
    await this.#open();
  }

  async #damage(damage: Damage, unclean: boolean, life: Life): Promise<void> {
    if (this.#damages === damagesMax) return;
    this.#damages += 1;
    if (unclean) life.drop();
    else await life.stop();
    this.log.push(`  ${damageDatabase(this.#world.dir, damage)}`);
    await this.#open();
  }

  async #open(): Promise<Life> {
    try {
      this.#life = await startLife(this.#world);
    } catch (error) {
      this.log.push(`  ${error}`);
      // The next start checks the whole file.
      markDatabaseOpen(this.#world.dir);
      this.#life = await startLife(this.#world);
    }
    if (this.#life.notices.length > 0) this.#onNotices(this.#life);
    return this.#life;
  }

  /** Kit said that the database was damaged: takes what it says is lost as lost, and nothing else. */
  #onNotices(life: Life): void {
    const said = life.notices.join(" ");
    this.log.push(`  ${said}`);
    const stored = new Set(life.rows("SELECT id FROM event").map(({ id }) => String(id)));
    const missing = [...this.#known.events].filter((id) => !stored.has(id));
    const [, lost] = /Lost events: (\d+)\./.exec(said) ?? [];
    const isOpen = /At least \d+ events|Nothing could be recovered|started with an empty database/.test(said);
    if (!isOpen)
      assert.ok(missing.length <= Number(lost ?? 0), `${missing.length} events are missing, and Kit says: ${said}`);
    for (const id of missing) this.#known.events.delete(id);
    if (missing.length > 0 || isOpen || /backup are used instead/.test(said)) {
      this.#known.lostUpTo = numberIn(
        life,
        "SELECT max(seq) FROM (SELECT seq FROM event UNION ALL SELECT seq FROM event_floor)",
      );
      this.#known.reports = Number.NaN;
    }
  }

  /** Waits until Kit has nothing to do, checks the promises, and opens Kit again if it was killed or found damage. */
  async #rest(): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      const life = this.#life as Life;
      await life.settle();
      this.#postLedger.checkArrivals();
      if (!life.isOver() && !life.storage.isDamageFound()) {
        // The check may be the first that reads what is damaged.
        const checked = await this.#check(life).catch((error: unknown) => error);
        if (!life.storage.isDamageFound()) {
          if (checked !== undefined) throw checked;
          return;
        }
      }
      this.log.push(life.isOver() ? "  killed" : "  damage found");
      if (life.isOver()) this.#world.killIn = Number.POSITIVE_INFINITY;
      life.drop();
      await this.#open();
    }
    assert.fail("Kit finds damage again and again");
  }

  // ——— The promises

  async #check(life: Life): Promise<void> {
    const [rule] = (await life.call(listPostRules)).rules;
    const isAutomatic = rule?.approval === "automatic";
    assert.ok(this.#isAutomatic || !isAutomatic, "automatic posting was withdrawn, and is back");
    this.#isAutomatic = isAutomatic;
    for (const { network, enabled } of await this.#accounts(life))
      assert.ok(
        !enabled || this.#postLedger.accountsOn.has(network as NetworkKind),
        `the account of ${network} was switched off, and is on`,
      );
    await this.#forwarding.check(life);
    this.#postLedger.checkSent(await this.#posts(life));
  }

  #checkCounts(life: Life): void {
    const counted = countOf(life);
    const { reports, maybeReports, events } = this.#known;
    const stored = numberIn(life, "SELECT count(*) FROM event WHERE kind = 'monitor'");
    assert.ok(counted >= stored, `${stored} reports are stored, and ${counted} counted`);
    assert.ok(
      counted >= reports && counted <= reports + maybeReports,
      `${reports} reports were acknowledged (${maybeReports} perhaps), and ${counted} are counted`,
    );
    const there = new Set(life.rows("SELECT id FROM event").map(({ id }) => String(id)));
    assert.deepEqual(
      [...events].filter((id) => !there.has(id)),
      [],
      "acknowledged events that are not stored",
    );
  }
}
