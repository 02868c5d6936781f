// The accounts that posts go to, as a person works with them: connected, changed, tested, removed. Gives nothing out that
// opens one.
import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  type AccountTest,
  accountsMax,
  type addAccount,
  type BodyOf,
  type changeAccount,
  KitError,
  type Network as NetworkKind,
  type ReplyOf,
} from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import { faultOf } from "../../outbound/fault.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Access, Connected, Given, Network } from "../networks/network.ts";
import { checkedGiven, createAccess, hiding, type Secrets, withoutAccess } from "./access.ts";
import {
  added,
  createAccountStore,
  named,
  removed,
  secretStoreOf,
  seen,
  startedAgain,
  switched,
  waits,
} from "./account-store.ts";

/** As much patience as a person has before a page. */
const askWithinMs = 30_000;
const saysCharsMax = 500;

export type AccountsNeeds = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly secrets: Secrets;
  readonly reach: Outbound;
  readonly networks: Readonly<Record<NetworkKind, Network>>;
  readonly now: () => number;
  readonly onChanged: (what: "accounts" | "posts") => void;
};

/** How much of an account a person changed for whoever sends. */
export type AccountChange = {
  /** What is under way for it ends: it is switched off, or opened by something else. */
  readonly interrupts: boolean;
  /** It may be another account now: what was begun with the one before cannot be gone on with. */
  readonly isOther: boolean;
};

/** Who sends for the accounts. */
type Sender = {
  changed(id: string, change: AccountChange): Promise<void>;
  /** Ends what is under way for it, and writes that it is gone together with what becomes of what waits for it. */
  parted(id: string, gone: Statement): Promise<void>;
};

export type Accounts = {
  all(): Promise<Account[]>;
  /** Undefined when it is not there. Rejects when it is and cannot be had now. */
  accessOf(id: string): Promise<Access | undefined>;
  add(body: BodyOf<typeof addAccount>): Promise<ReplyOf<typeof addAccount>>;
  change(id: string, body: BodyOf<typeof changeAccount>): Promise<Account>;
  remove(id: string): Promise<void>;
  test(id: string): Promise<AccountTest>;
  /** Called once, by whoever sends. */
  sendBy(sender: Sender): void;
};

export function createAccounts({ storage, secrets, reach, networks, now, onChanged }: AccountsNeeds): Accounts {
  const { write } = storage;
  const store = createAccountStore(storage, now);
  const access = createAccess(secrets);
  let sender: Sender = { changed: async () => undefined, parted: (_, gone) => write(gone) };

  /** One change at a time: no account slips in beyond the most there may be. */
  const serialize = createSerialQueue();
  const find = async (id: string): Promise<Account> => {
    const found = (await store.all()).find((account) => account.id === id);
    if (found === undefined) throw new KitError("not_found", "There is no such account.");
    return found;
  };
  const asking = () => ({ reach, now, signal: AbortSignal.timeout(askWithinMs) });
  const connect = async (network: NetworkKind, given: Given): Promise<Connected> => {
    try {
      return await networks[network].connect(given, asking());
    } catch (error) {
      if (!(error instanceof KitError))
        throw new KitError("payload_invalid", `The account was not connected. ${faultOf(error)}`);
      const hide = hiding(network, given);
      const errors = error.errors.map(({ path, message }) => ({ path, message: hide(message) }));
      throw new KitError(error.code, hide(error.message), errors);
    }
  };
  const add: Accounts["add"] = async ({ network, fields, name }) => {
    const before = await store.all();
    if (before.length >= accountsMax)
      throw new KitError("payload_invalid", `There are ${accountsMax} accounts already. Remove one first.`);
    const connected = await connect(network, checkedGiven(network, fields));
    const known = before.find((account) => isSame(account, { network, ...connected.shown }));
    if (known !== undefined)
      throw new KitError("payload_invalid", `It is connected already, as ${known.name}. Change that one instead.`);
    const id = randomUUIDv7();
    const shown = { ...connected.shown, name: name?.toWellFormed() ?? connected.shown.name };
    // First the row: a secret nobody knows of would stay for ever.
    await write(added({ id, network, ...shown }, now(), withoutAccess));
    try {
      await write(secretStoreOf(id, await access.keep(id, connected.access)), ...startedAgain(id));
    } catch (error) {
      await access.remove(id).catch(() => undefined);
      await write(removed(id));
      throw error;
    }
    return { account: await changed(id, { interrupts: false, isOther: false }), secret: connected.secret ?? null };
  };
  const changed = async (id: string, change: AccountChange) => {
    await sender.changed(id, change);
    onChanged("accounts");
    return find(id);
  };
  /** Whether it may be another account than before. */
  const openWith = async (before: Account, fields: Given): Promise<boolean> => {
    const kept = await access.read(before.id).catch(() => undefined);
    const { access: opening, shown } = await connect(before.network, checkedGiven(before.network, fields, kept));
    const place = await access.keep(before.id, opening);
    await write(secretStoreOf(before.id, place), seen(before.id, shown), ...startedAgain(before.id));
    return shown.link === null || shown.link !== before.link || shown.host !== before.host;
  };
  const change: Accounts["change"] = async (id, { enabled, name, fields }) => {
    const before = await find(id);
    const isOther = fields !== undefined && (await openWith(before, fields));
    if (name !== undefined) await write(named(id, name.toWellFormed()));
    if (enabled !== undefined) await write(switched(id, enabled), ...(enabled ? startedAgain(id) : []));
    return changed(id, { interrupts: enabled === false || fields !== undefined, isOther });
  };
  const look = async ({ id, network }: Account): Promise<AccountTest> => {
    const no = (says: string) => ({ ok: false, says, checked: [] });
    const opening = await access.read(id).catch((error: Error) => error);
    if (opening === undefined) return no(withoutAccess);
    if (opening instanceof Error) return no(opening.message);
    const looked = await networks[network].look(opening, asking()).catch(faultOf);
    if (typeof looked === "string") return no(looked);
    const { shown, checked, outcome } = looked;
    const ok = outcome.outcome === "sent";
    const untilMs = ok ? outcome.restUntilMs : outcome.outcome === "later" ? outcome.notBeforeMs : null;
    const limit = untilMs === null ? [] : [waits(id, { untilMs, because: "rate-limit" })];
    await write(...(ok ? [seen(id, shown), ...startedAgain(id)] : []), ...limit);
    const hide = hiding(network, opening);
    const says = ok ? "It would take a post now." : hide(outcome.says).slice(0, saysCharsMax);
    return { ok, says, checked: checked.map((one) => ({ ...one, says: hide(one.says).slice(0, saysCharsMax) })) };
  };
  const test = async (id: string): Promise<AccountTest> => {
    const account = await find(id);
    if (account.waitsBecause === "rate-limit") {
      const says = `The network asked for nothing before ${account.waitsUntil}: it was not asked.`;
      return { ok: false, says, checked: [] };
    }
    const result = await look(account);
    await changed(id, { interrupts: false, isOther: false });
    return result;
  };

  return {
    all: () => store.all(),
    accessOf: access.read,
    add: (body) => serialize(() => add(body)),
    change: (id, body) => serialize(() => change(id, body)),
    remove: (id) =>
      serialize(async () => {
        await find(id);
        // First the secret: a row without one says so.
        await access.remove(id);
        await sender.parted(id, removed(id));
        onChanged("accounts");
      }),
    test: (id) => serialize(() => test(id)),
    sendBy(given) {
      sender = given;
    },
  };
}

/** Twice the same account would be every post twice. A channel may well have two webhooks, which nobody can tell apart by what is shown. */
function isSame(account: Account, other: Pick<Account, "network" | "host" | "link">): boolean {
  const hasOneOwner = other.network === "bluesky" || other.network === "mastodon";
  return hasOneOwner && other.link !== null && account.network === other.network && account.link === other.link;
}
