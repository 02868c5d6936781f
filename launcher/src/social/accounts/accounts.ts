// Connects, changes, tests and removes the accounts that posts go to. Its results never contain credentials.

import { randomUUIDv7 } from "node:crypto";
import {
  type Account,
  type AccountCheck,
  type AccountTest,
  accountsMax,
  type addAccount,
  type BodyOf,
  type changeAccount,
  changeTexts,
  fieldError,
  hasCode,
  KitError,
  type MessageOrText,
  messageFromProblem,
  type Network as NetworkKind,
  payloadInvalid,
  type ReplyOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import { failureMessage } from "../../outbound/failure.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { credentialsProblem, type RequestLimit, requestLimit } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ConnectedAccount, Credentials, FieldValues, Learned, Network, SendOutcome } from "../networks/network.ts";
import {
  createAccountStore,
  deleteAccount,
  forgetLearned,
  insertAccount,
  limitAccount,
  renameAccount,
  restartAccount,
  updateAccountEnabled,
  updateAccountProfile,
  updateSecretPlace,
} from "./account-store.ts";
import {
  type AccountSecrets,
  accountCredentialsMissing,
  completeFields,
  createCredentialStore,
  createSecretHider,
  invalidField,
} from "./credentials.ts";

/** Maximum time of a request. Short, because a person waits for the answer. */
const requestTimeoutMs = 30_000;
const saysCharsMax = 500;

const failedTest = (says: MessageOrText): AccountTest => ({ ok: false, says, checked: [] });

export type AccountsDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly secrets: AccountSecrets;
  readonly outbound: Outbound;
  readonly networks: Readonly<Record<NetworkKind, Network>>;
  readonly now: () => number;
  readonly onChanged: (what: "accounts" | "posts") => void;
};

/** What a change of an account means for its deliveries. */
export type AccountChange = {
  /** A running delivery is interrupted, because the account was switched off or has new credentials. */
  readonly interruptsDelivery: boolean;
  /** The new credentials may be of another account, so a delivery that was started cannot continue. */
  readonly mayBeOtherAccount: boolean;
};

/** Is told about changes of accounts before they take effect. */
type AccountListener = {
  onChanged(id: string, change: AccountChange): Promise<void>;
  /** Must end the deliveries to the account, and commit that together with `gone`, the statement that deletes the account. */
  onRemoved(id: string, gone: Statement): Promise<void>;
};

export type Accounts = {
  all(): Promise<Account[]>;
  /** Resolves to undefined if there are no credentials. Rejects if they cannot be read now. */
  readCredentials(id: string): Promise<Credentials | undefined>;
  /** Returns what refusals taught about the account's destination. */
  learned(id: string): Promise<Learned>;
  add(body: BodyOf<typeof addAccount>): Promise<ReplyOf<typeof addAccount>>;
  change(id: string, body: BodyOf<typeof changeAccount>): Promise<Account>;
  remove(id: string): Promise<void>;
  test(id: string): Promise<AccountTest>;
  /** To be called once, with the only listener. */
  setListener(listener: AccountListener): void;
};

type Hide = (text: string) => string;
const shownText = <T extends MessageOrText>(says: T, hide: Hide) =>
  changeTexts(says, (text) => hide(text).slice(0, saysCharsMax));
const shownChecks = (checked: readonly AccountCheck[], hide: Hide): AccountCheck[] =>
  checked.map((one) => ({ ...one, says: shownText(one.says, hide) }));

/** Hides credentials in an error of a network, and calls its field by the label. */
function refusedFields(
  network: NetworkKind,
  { code, detail, errors: given }: KitError,
  hide: (text: string) => string,
) {
  const errors = given.map((each) => fieldError(each.path, changeTexts(messageFromProblem(each.message, each), hide)));
  const [only, ...more] = errors;
  const [, name] = /^\/fields\/(\w+)$/.exec(only?.path ?? "") ?? [];
  return only !== undefined && more.length === 0 && name !== undefined && hasCode(detail, "field.invalid")
    ? invalidField(network, name, messageFromProblem(only.message, only))
    : new KitError(code, changeTexts(detail, hide), errors);
}

export function createAccounts({ storage, secrets, outbound, networks, now, onChanged }: AccountsDeps): Accounts {
  const { write } = storage;
  const store = createAccountStore(storage, now);
  const credentialStore = createCredentialStore(secrets);
  let listener: AccountListener = { onChanged: async () => undefined, onRemoved: (_, gone) => write(gone) };

  /** Runs one change at a time, so that the limit of accounts holds. */
  const serialize = createSerialQueue();
  const find = async (id: string): Promise<Account> => {
    const found = (await store.all()).find((account) => account.id === id);
    if (found === undefined) throw new KitError("not_found", message("account.unknown"));
    return found;
  };
  const requestContext = () => ({ outbound, now, signal: AbortSignal.timeout(requestTimeoutMs) });
  const connect = async (network: NetworkKind, given: FieldValues): Promise<ConnectedAccount> => {
    try {
      return await networks[network].connect(given, requestContext());
    } catch (error) {
      if (!(error instanceof KitError))
        throw payloadInvalid(message("account.not_connected", { problem: failureMessage(error) }));
      throw refusedFields(network, error, createSecretHider(network, given));
    }
  };
  const add: Accounts["add"] = async ({ network, fields, name, demo = false }) => {
    const before = await store.all();
    if (before.length >= accountsMax) throw payloadInvalid(message("account.too_many", { most: accountsMax }));
    const connected = await connect(network, completeFields(network, fields));
    const known = findSameAccount(before, networks[network], connected.shown.link);
    if (known !== undefined) throw payloadInvalid(message("account.already_connected", { account: known.name }));
    const id = randomUUIDv7();
    const shown = { ...connected.shown, name: name?.toWellFormed() ?? connected.shown.name };
    // Inserts the row first: if Kit stopped in between, a secret without a row would never be deleted.
    await write(insertAccount({ id, network, demo, ...shown }, now(), accountCredentialsMissing));
    try {
      await write(updateSecretPlace(id, await credentialStore.keep(id, connected.credentials)), ...restartAccount(id));
    } catch (error) {
      await credentialStore.remove(id).catch(() => undefined);
      await write(deleteAccount(id));
      throw error;
    }
    return {
      account: await applyChange(id, { interruptsDelivery: false, mayBeOtherAccount: false }),
      secret: connected.secret ?? null,
      checked: shownChecks(connected.checked, createSecretHider(network, connected.credentials)),
    };
  };
  const applyChange = async (id: string, change: AccountChange) => {
    await listener.onChanged(id, change);
    onChanged("accounts");
    return find(id);
  };
  /** Stores new credentials. Returns whether they may belong to another account. */
  const reconnect = async (before: Account, fields: FieldValues): Promise<boolean> => {
    const kept = await credentialStore.read(before.id).catch(() => undefined);
    const { credentials: opening, shown } = await connect(before.network, completeFields(before.network, fields, kept));
    const place = await credentialStore.keep(before.id, opening);
    await write(
      updateSecretPlace(before.id, place),
      updateAccountProfile(before.id, shown),
      forgetLearned(before.id),
      ...restartAccount(before.id),
    );
    return shown.link === null || shown.link !== before.link || shown.host !== before.host;
  };
  const change: Accounts["change"] = async (id, { enabled, name, fields }) => {
    const before = await find(id);
    const isOther = fields !== undefined && (await reconnect(before, fields));
    if (name !== undefined) await write(renameAccount(id, name.toWellFormed()));
    if (enabled !== undefined) await write(updateAccountEnabled(id, enabled), ...(enabled ? restartAccount(id) : []));
    return applyChange(id, {
      interruptsDelivery: enabled === false || fields !== undefined,
      mayBeOtherAccount: isOther,
    });
  };
  const checkAccount = async ({ id, network }: Account): Promise<AccountTest> => {
    const opening = await credentialStore.read(id).catch((error: Error) => error);
    if (opening === undefined) return failedTest(accountCredentialsMissing);
    if (opening instanceof Error) return failedTest(credentialsProblem(opening));
    const looked = await networks[network].checkAccount(opening, requestContext()).catch(failureMessage);
    if ("code" in looked) return failedTest(looked);
    const { shown, checked, outcome } = looked;
    const ok = outcome.outcome === "sent";
    const limit = limitOfCheck(outcome, now());
    await write(
      ...(ok ? [updateAccountProfile(id, shown), ...restartAccount(id)] : []),
      ...(limit === undefined ? [] : [limitAccount(id, limit, now())]),
    );
    const hide = createSecretHider(network, opening);
    const says = ok ? message("account.would_accept") : shownText(outcome.says, hide);
    return { ok, says, checked: shownChecks(checked, hide) };
  };
  const test = async (id: string): Promise<AccountTest> => {
    const account = await find(id);
    if (account.demo) return { ok: true, says: message("post.in_demo"), checked: [] };
    if (account.waitsBecause === "rate-limit")
      return failedTest(message("account.no_contact_before", { time: account.waitsUntil ?? "" }));
    const result = await checkAccount(account);
    await applyChange(id, { interruptsDelivery: false, mayBeOtherAccount: false });
    return result;
  };

  return {
    all: () => store.all(),
    readCredentials: credentialStore.read,
    learned: store.learned,
    add: (body) => serialize(() => add(body)),
    change: (id, body) => serialize(() => change(id, body)),
    remove: (id) =>
      serialize(async () => {
        await find(id);
        // Deletes the secret first: if Kit stops in between, the row that is left says that its credentials are missing.
        await credentialStore.remove(id);
        await listener.onRemoved(id, deleteAccount(id));
        onChanged("accounts");
      }),
    test: (id) => serialize(() => test(id)),
    setListener(given) {
      listener = given;
    },
  };
}

/** Returns how long the network wants no request after a check, and from which accounts; undefined if it did not say so. */
function limitOfCheck(outcome: SendOutcome, nowMs: number): RequestLimit | undefined {
  if (outcome.outcome === "later") return requestLimit(outcome, nowMs, nowMs);
  const untilMs = outcome.outcome === "sent" ? outcome.restUntilMs : null;
  return untilMs === null ? undefined : { untilMs, of: "destination" };
}

/** Finds another account with the same page, because an account that is connected twice would get every post twice. */
function findSameAccount(all: readonly Account[], { kind, linkIsAccount }: Network, link: Account["link"]) {
  return linkIsAccount && link !== null ? all.find((each) => each.network === kind && each.link === link) : undefined;
}
