// The accounts in SQL: what is shown of them, and how they fare. What opens them is elsewhere.
import type { Account, AccountLimits, Network } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type Wait = { readonly untilMs: number; readonly because: "rate-limit" | "failure" };
export type Shown = Pick<Account, "name" | "host" | "link" | "limits">;
type New = Shown & { readonly id: string; readonly network: Network };

/** In no state yet to be posted to: what opens it follows. */
export const added = ({ id, network, name, host, link, limits }: New, atMs: number, stopped: string): Statement => sql`
  INSERT INTO account (id, network, name, host, link, limits, kept, added_ms, stopped)
  VALUES (${id}, ${network}, ${name}, ${host}, ${link}, ${JSON.stringify(limits)}, 'file', ${atMs}, ${stopped})`;
export const removed = (id: string): Statement => sql`DELETE FROM account WHERE id = ${id}`;
export const secretStoreOf = (id: string, kept: Account["kept"]): Statement => sql`
  UPDATE account SET kept = ${kept} WHERE id = ${id}`;
/** As its network shows it now; its name stays with who gave it. */
export const seen = (id: string, { host, link, limits }: Omit<Shown, "name">): Statement => sql`
  UPDATE account SET host = ${host}, link = ${link}, limits = ${JSON.stringify(limits)} WHERE id = ${id}`;
export const named = (id: string, name: string): Statement => sql`UPDATE account SET name = ${name} WHERE id = ${id}`;
export const switched = (id: string, enabled: boolean): Statement => sql`
  UPDATE account SET enabled = ${enabled ? 1 : 0} WHERE id = ${id}`;

/** What a network asked for is kept to, whoever starts it again; what waits has its whole patience anew. */
export const startedAgain = (id: string): Statement[] => [
  sql`
    UPDATE account SET stopped = NULL, wait_until_ms = iif(wait_because = 'failure', NULL, wait_until_ms),
      wait_because = iif(wait_because = 'failure', NULL, wait_because)
    WHERE id = ${id}`,
  sql`
    UPDATE delivery SET failing_ms = NULL, next_try_ms = (SELECT wait_until_ms FROM account WHERE id = ${id})
    WHERE account = ${id} AND state = 'waiting' AND next_try_ms IS NOT NULL`,
];
export const stoppedFor = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE account SET stopped = ${why}, fault = ${why}, fault_ms = ${atMs}, wait_until_ms = NULL, wait_because = NULL
  WHERE id = ${id}`;
export const failed = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE account SET fault = ${why}, fault_ms = ${atMs} WHERE id = ${id}`;
export const waits = (id: string, { untilMs, because }: Wait): Statement => sql`
  UPDATE account SET wait_until_ms = ${untilMs}, wait_because = ${because} WHERE id = ${id}`;
/** The network confirmed a post, and wants nothing more before `restUntilMs`. */
export const sentOne = (id: string, atMs: number, restUntilMs: number | null): Statement => sql`
  UPDATE account SET sent = sent + 1, sent_ms = ${atMs}, fault = NULL, fault_ms = NULL, wait_until_ms = ${restUntilMs},
    wait_because = iif(${restUntilMs} IS NULL, NULL, 'rate-limit')
  WHERE id = ${id}`;

const isoOf = (ms: Row[string] | undefined) => (ms == null ? null : new Date(Number(ms)).toISOString());
const textOf = (value: Row[string] | undefined) => (value == null ? null : String(value));

function accountOf(row: Row, nowMs: number): Account {
  const isWaiting = Number(row.waitUntilMs ?? 0) > nowMs;
  return {
    id: String(row.id),
    network: row.network as Network,
    name: String(row.name),
    host: String(row.host),
    link: textOf(row.link),
    enabled: row.enabled === 1,
    addedAt: String(isoOf(row.addedMs)),
    limits: JSON.parse(String(row.limits)) as AccountLimits,
    kept: row.kept as Account["kept"],
    sent: Number(row.sent),
    waiting: Number(row.waiting),
    lastSentAt: isoOf(row.sentMs),
    lastError: textOf(row.fault),
    lastErrorAt: isoOf(row.faultMs),
    stopped: textOf(row.stopped),
    waitsUntil: isWaiting ? isoOf(row.waitUntilMs) : null,
    waitsBecause: isWaiting ? (row.waitBecause as Wait["because"]) : null,
  };
}

export const createAccountStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  /** The oldest first. */
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
