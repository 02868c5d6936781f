// A launcher with helpers to send social triggers and to read and change posts.
import assert from "node:assert/strict";
import {
  type Account,
  type addAccount,
  type BodyOf,
  type NewPostRule,
  type Post,
  type PostRule,
  type ReceiptEntry,
  type ReplyOf,
  textOf,
} from "@kit/contract";
import type { OwnLauncher } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

export type Posting = ReturnType<typeof postingOf>;

export function postingOf(launcher: OwnLauncher) {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await launcher.api(method, path, body);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
    return (reply.text === "" ? undefined : reply.json()) as T;
  };
  const posts = async () => (await ask<{ posts: Post[] }>("GET", "/api/posts")).posts;
  return {
    connect: (body: BodyOf<typeof addAccount>) => ask<ReplyOf<typeof addAccount>>("POST", "/api/accounts", body),
    accounts: async () => (await ask<{ accounts: Account[] }>("GET", "/api/accounts")).accounts,
    addRule: (rule: NewPostRule) => ask<PostRule>("POST", "/api/post-rules", rule),
    set: (settings: object) => ask<object>("PUT", "/api/post-settings", settings),
    /** Sends a social trigger with this id. Returns the id of the event. */
    trigger: (eventId: string) => launcher.trigger(eventId, "social"),
    posts,
    /** The post of an event, once it matches. */
    async postOf(event: string, expected: (post: Post) => boolean): Promise<Post> {
      let last: Post | undefined;
      const look = async () => {
        last = (await posts()).find((one) => one.event === event);
        return last !== undefined && expected(last) && last;
      };
      return until("the post as expected", look).catch((error: Error) => {
        throw new Error(`${error.message}; it is ${JSON.stringify(last)}`);
      });
    },
    decide: (post: string, what: "approve" | "undo" | "skip") => ask<Post>("POST", `/api/posts/${post}/${what}`),
    settle: (post: string, account: string, as: "sent" | "again" | "dropped") =>
      ask<Post>("POST", `/api/posts/${post}/deliveries/${account}`, { as }),
    edit: (post: string, change: object) => ask<Post>("PUT", `/api/posts/${post}`, change),
    /** The social states of a receipt. */
    async receiptStates(event: string): Promise<string[]> {
      const { states } = await launcher.receipt(event);
      const own = states.filter(({ by }: ReceiptEntry) => by === "social");
      return own.map(({ state, reason }) => (reason === undefined ? state : `${state}: ${textOf(reason)}`));
    },
  };
}
