// SQL of the rules for posts.
import type { PostRule, PostSettings } from "@kit/contract";
import { isoTime, isoTimeOrNull, type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** What a person sets of a rule. The rest is counted or assigned by Kit. */
export type PostRuleMembers = Omit<PostRule, "id" | "createdAt" | "posts" | "lastPostAt" | "held">;

const ruleOf = (row: Row): PostRule => ({
  id: String(row.id),
  pattern: String(row.pattern),
  accounts: JSON.parse(String(row.accounts)),
  text: String(row.text),
  attach: row.attach as PostRule["attach"],
  without: row.without as PostRule["without"],
  altText: String(row.altText),
  contentWarning: String(row.contentWarning),
  visibility: row.visibility as PostRule["visibility"],
  approval: row.approval as PostRule["approval"],
  cooldownSeconds: Number(row.cooldownSeconds),
  enabled: row.enabled === 1,
  createdAt: isoTime(row.createdMs),
  posts: Number(row.posts),
  lastPostAt: isoTimeOrNull(row.postedMs),
  held: Number(row.held),
});

export function insertPostRule(id: string, rule: PostRuleMembers, atMs: number): Statement {
  return sql`
    INSERT INTO post_rule (id, pattern, accounts, text, attach, without, alt_text, content_warning, visibility, approval,
      cooldown_s, enabled, created_ms)
    VALUES (${id}, ${rule.pattern}, ${JSON.stringify(rule.accounts)}, ${rule.text}, ${rule.attach}, ${rule.without},
      ${rule.altText}, ${rule.contentWarning}, ${rule.visibility}, ${rule.approval}, ${rule.cooldownSeconds},
      ${Number(rule.enabled)}, ${atMs})`;
}

export function updatePostRule(id: string, rule: PostRuleMembers): Statement {
  return sql`
    UPDATE post_rule SET pattern = ${rule.pattern}, accounts = ${JSON.stringify(rule.accounts)}, text = ${rule.text},
      attach = ${rule.attach}, without = ${rule.without}, alt_text = ${rule.altText},
      content_warning = ${rule.contentWarning}, visibility = ${rule.visibility}, approval = ${rule.approval},
      cooldown_s = ${rule.cooldownSeconds}, enabled = ${Number(rule.enabled)}
    WHERE id = ${id}`;
}

export const deletePostRule = (id: string): Statement => sql`DELETE FROM post_rule WHERE id = ${id}`;

/** Counts a post for its rule. The rule's cooldown starts at `momentMs`, the time of the event. */
export const recordRulePost = (id: string, momentMs: number): Statement => sql`
  UPDATE post_rule SET posts = posts + 1, posted_ms = ${momentMs} WHERE id = ${id}`;

export const countHeldEvents = (id: string, events: number): Statement => sql`
  UPDATE post_rule SET held = held + ${events} WHERE id = ${id}`;

export const savePostSetting = (name: keyof PostSettings, value: number): Statement => sql`
  INSERT INTO post_setting (name, value) VALUES (${name}, ${String(value)})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export type PostRuleStore = ReturnType<typeof createPostRuleStore>;

export const createPostRuleStore = (storage: Pick<Storage, "read">) => ({
  /** Lists all rules, oldest first. */
  async all(): Promise<PostRule[]> {
    const rows = await storage.read(sql`
      SELECT id, pattern, accounts, text, attach, without, alt_text AS altText, content_warning AS contentWarning,
        visibility, approval, cooldown_s AS cooldownSeconds, enabled, created_ms AS createdMs, posts,
        posted_ms AS postedMs, held
      FROM post_rule ORDER BY seq`);
    return rows.map(ruleOf);
  },
  async settings(): Promise<ReadonlyMap<string, string>> {
    const rows = await storage.read(sql`SELECT name, value FROM post_setting`);
    return new Map(rows.map(({ name, value }) => [String(name), String(value)]));
  },
});
