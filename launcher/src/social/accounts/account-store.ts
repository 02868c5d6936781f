// SQL of accounts: their public data and state. Credentials are in the secret store.
import type { Account, AccountLimits, Network } from "@kit/contract";
import { isoTime, isoTimeOrNull, textOrNull } from "../../storage/row.ts";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type Delay = { readonly untilMs: number; readonly because: "rate-limit" | "failure" };
export type AccountProfile = Pick<Account, "name" | "host" | "link" | "limits">;
type NewAccountRow = AccountProfile & { readonly id: string; readonly network: Network };

/** Inserts an account in the stopped state. It starts when its credentials are stored. */
export const insertAccount = (
  { id, network, name, host, link, limits }: NewAccountRow,
  atMs: number,
  stopped: string,
): Statement => sql`
  INSERT INTO account (id, network, name, host, link, limits, kept, added_ms, stopped)
  VALUES (${id}, ${network}, ${name}, ${host}, ${link}, ${JSON.stringify(limits)}, 'file', ${atMs}, ${stopped})`;
export const deleteAccount = (id: string): Statement => sql`DELETE FROM account WHERE id = ${id}`;
export const updateSecretStore = (id: string, kept: Account["kept"]): Statement => sql`
  UPDATE account SET kept = ${kept} WHERE id = ${id}`;
/** Updates what the network says about an account, but not the name that a person may have given. */
export const updateProfile = (id: string, { host, link, limits }: Omit<AccountProfile, "name">): Statement => sql`
  UPDATE account SET host = ${host}, link = ${link}, limits = ${JSON.stringify(limits)} WHERE id = ${id}`;
export const renameAccount = (id: string, name: string): Statement =>
  sql`UPDATE account SET name = ${name} WHERE id = ${id}`;
export const updateAccountEnabled = (id: string, enabled: boolean): Statement => sql`
  UPDATE account SET enabled = ${enabled ? 1 : 0} WHERE id = ${id}`;

/** Clears a stop and a delay after failures, but keeps a delay that the network asked for. Resets the retries of its deliveries. */
export const restartAccount = (id: string): Statement[] => [
  sql`
    UPDATE account SET stopped = NULL, wait_until_ms = iif(wait_because = 'failure', NULL, wait_until_ms),
      wait_because = iif(wait_because = 'failure', NULL, wait_because)
    WHERE id = ${id}`,
  sql`
    UPDATE delivery SET failing_ms = NULL, next_try_ms = (SELECT wait_until_ms FROM account WHERE id = ${id})
    WHERE account = ${id} AND state = 'waiting' AND next_try_ms IS NOT NULL`,
];
export const stopAccount = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE account SET stopped = ${why}, fault = ${why}, fault_ms = ${atMs}, wait_until_ms = NULL, wait_because = NULL
  WHERE id = ${id}`;
export const recordAccountError = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE account SET fault = ${why}, fault_ms = ${atMs} WHERE id = ${id}`;
export const delayAccount = (id: string, { untilMs, because }: Delay): Statement => sql`
  UPDATE account SET wait_until_ms = ${untilMs}, wait_because = ${because} WHERE id = ${id}`;
/** Counts a confirmed post. The network wants no request before `restUntilMs`. */
export const recordSentPost = (id: string, atMs: number, restUntilMs: number | null): Statement => sql`
  UPDATE account SET sent = sent + 1, sent_ms = ${atMs}, fault = NULL, fault_ms = NULL, wait_until_ms = ${restUntilMs},
    wait_because = iif(${restUntilMs} IS NULL, NULL, 'rate-limit')
  WHERE id = ${id}`;

function accountOf(row: Row, nowMs: number): Account {
  const isWaiting = Number(row.waitUntilMs ?? 0) > nowMs;
  return {
    id: String(row.id),
    network: row.network as Network,
    name: String(row.name),
    host: String(row.host),
    link: textOrNull(row.link),
    enabled: row.enabled === 1,
    addedAt: isoTime(row.addedMs),
    limits: JSON.parse(String(row.limits)) as AccountLimits,
    kept: row.kept as Account["kept"],
    sent: Number(row.sent),
    waiting: Number(row.waiting),
    lastSentAt: isoTimeOrNull(row.sentMs),
    lastError: textOrNull(row.fault),
    lastErrorAt: isoTimeOrNull(row.faultMs),
    stopped: textOrNull(row.stopped),
    waitsUntil: isWaiting ? isoTimeOrNull(row.waitUntilMs) : null,
    waitsBecause: isWaiting ? (row.waitBecause as Delay["because"]) : null,
  };
}

export const createAccountStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  /** Lists all accounts, oldest first. */
  async all(): Promise<Account[]> {
    const rows = await storage.read(sql`
      SELECT id, network, name, host, link, limits, kept, enabled, added_ms AS addedMs, sent, sent_ms AS sentMs, fault,
        fault_ms AS faultMs, stopped, wait_until_ms AS waitUntilMs, wait_because AS waitBecause,
        (SELECT count(*) FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq
         WHERE d.account = a.id AND d.state IN ('waiting', 'preparing', 'sending') AND p.state IN ('approved', 'sending'))
          AS waiting
      FROM account AS a ORDER BY seq`);
    return rows.map((row) => accountOf(row, now()));
  },
});
