// SQL of accounts: their public data and state. Credentials are in the secret store.

import type { Account, AccountLimits, Message, Network } from "@kit/contract";
import { destinationState, destinationStatements, type RequestLimit, waitColumns } from "../../outbox/index.ts";
import {
  concatSql,
  isoTime,
  isoTimeOrNull,
  type Row,
  type Statement,
  sql,
  textOrNull,
  toMessageColumn,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Learned } from "../networks/network.ts";

export type AccountProfile = Pick<Account, "name" | "host" | "link" | "limits">;
type NewAccountRow = AccountProfile & { readonly id: string; readonly network: Network; readonly demo: boolean };

const statements = destinationStatements("account");
export const { remove: deleteAccount, setEnabled: updateAccountEnabled } = statements;

/** Stores that the network wants no request before then, from this account or from all accounts of its host. */
export const limitAccount = (id: string, { untilMs, of }: RequestLimit, nowMs: number): Statement =>
  of === "host" ? statements.delayHost(id, untilMs, nowMs) : statements.delay(id, untilMs, "rate-limit");

/** Inserts a stopped account. It starts once its credentials are stored. */
export const insertAccount = (
  { id, network, name, host, link, limits, demo }: NewAccountRow,
  atMs: number,
  stopped: Message,
): Statement => sql`
  INSERT INTO account (id, network, name, host, link, limits, kept, added_ms, stopped, demo)
  VALUES (${id}, ${network}, ${name}, ${host}, ${link}, ${JSON.stringify(limits)}, 'file', ${atMs},
    ${toMessageColumn(stopped)}, ${Number(demo)})`;
export const updateSecretPlace = (id: string, kept: Account["kept"]): Statement => sql`
  UPDATE account SET kept = ${kept} WHERE id = ${id}`;
/** Updates what the network says about an account, but not the name that a person may have given. */
export const updateAccountProfile = (
  id: string,
  { host, link, limits }: Omit<AccountProfile, "name">,
): Statement => sql`
  UPDATE account SET host = ${host}, link = ${link}, limits = ${JSON.stringify(limits)} WHERE id = ${id}`;
/** How long a smaller size of files holds, because a server can get another limit. */
const smallerForMs = 86_400_000;
/** Stores that a larger file is refused. */
export const limitAccountBytes = (id: string, bytesMax: number, nowMs: number): Statement => sql`
  UPDATE account SET bytes_max = ${bytesMax}, bytes_until_ms = ${nowMs + smallerForMs} WHERE id = ${id}`;
export const storeLearned = (id: string, more: Learned): Statement => sql`
  UPDATE account SET learned = json_patch(learned, ${JSON.stringify(more)}) WHERE id = ${id}`;
/** Deletes what refusals taught: with other credentials, the destination may be another. */
export const forgetLearned = (id: string): Statement => sql`
  UPDATE account SET learned = '{}', bytes_max = NULL, bytes_until_ms = NULL WHERE id = ${id}`;
export const renameAccount = (id: string, name: string): Statement =>
  sql`UPDATE account SET name = ${name} WHERE id = ${id}`;

/** Restarts the account like any destination of the outbox, and resets the retries of its deliveries. */
export const restartAccount = (id: string): Statement[] => [
  statements.restart(id),
  sql`
    UPDATE delivery SET failing_ms = NULL, next_try_ms = (SELECT wait_until_ms FROM account WHERE id = ${id})
    WHERE account = ${id} AND state = 'waiting' AND next_try_ms IS NOT NULL`,
];
/** Counts a post that the network confirmed. */
export const countSentPost = (id: string, atMs: number): Statement => sql`
  UPDATE account SET sent = sent + 1, sent_ms = ${atMs} WHERE id = ${id}`;

/** The limits of an account, and not more than the size that the network may still accept. */
export function withinBytes(limits: AccountLimits, bytesMax: number | null): AccountLimits {
  if (bytesMax === null) return limits;
  const { imageBytesMax, videoBytesMax } = limits;
  return {
    ...limits,
    imageBytesMax: Math.min(imageBytesMax, bytesMax),
    videoBytesMax: Math.min(videoBytesMax, bytesMax),
  };
}

/** The limits of the network, and for a day the smaller size after a refusal. */
function limitsOf({ limits, bytesMax, bytesUntilMs }: Row, nowMs: number): AccountLimits {
  const own = JSON.parse(String(limits)) as AccountLimits;
  if (bytesMax === null || Number(bytesUntilMs) <= nowMs) return own;
  return withinBytes(own, Number(bytesMax));
}

function accountOf(row: Row, nowMs: number): Account {
  return {
    id: String(row.id),
    network: row.network as Network,
    name: String(row.name),
    host: String(row.host),
    link: textOrNull(row.link),
    addedAt: isoTime(row.addedMs),
    limits: limitsOf(row, nowMs),
    kept: row.kept as Account["kept"],
    sent: Number(row.sent),
    waiting: Number(row.waiting),
    lastSentAt: isoTimeOrNull(row.sentMs),
    demo: row.demo === 1,
    ...destinationState(row, nowMs),
  };
}

export const createAccountStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  async learned(id: string): Promise<Learned> {
    const [row] = await storage.read(sql`SELECT learned FROM account WHERE id = ${id}`);
    return row === undefined ? {} : (JSON.parse(String(row.learned)) as Learned);
  },
  /** Lists all accounts, oldest first. */
  async all(): Promise<Account[]> {
    const rows = await storage.read(
      concatSql(
        sql`
      SELECT id, network, name, host, link, limits, bytes_max AS bytesMax, bytes_until_ms AS bytesUntilMs, kept, enabled,
        added_ms AS addedMs, sent, sent_ms AS sentMs, fault, fault_ms AS faultMs, stopped, demo,`,
        waitColumns,
        sql`,
        (SELECT count(*) FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq
         WHERE d.account = a.id AND d.state IN ('waiting', 'preparing', 'sending') AND p.state IN ('approved', 'sending'))
          AS waiting
      FROM account AS a ORDER BY seq`,
      ),
    );
    return rows.map((row) => accountOf(row, now()));
  },
});
