// Tests of the page of post rules: a rule is written once, and previewed for each network.
import assert from "node:assert/strict";
import {
  addPostRule,
  allSwitchesOn,
  changePostSettings,
  type EventIdRule,
  listGames,
  postRuleDefaults,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { type FakePosts, givePosts } from "../../../test/component/fake-posts.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { toastThatSays } from "../../../test/component/post-cards.ts";
import { accountOf, postRuleOf } from "../../../test/post-samples.ts";
import { eventRuleOf } from "../../../test/rule-samples.ts";

const seenAt = "2026-05-01T10:00:00.000Z";

type Given = Partial<FakePosts> & { readonly events?: EventIdRule[] };

async function openRules(fragment: string, { events = [], ...given }: Given = {}) {
  const launcher = createFakeLauncher();
  const saga = { game: "saga", name: "Saga", registered: false, switches: allSwitchesOn, firstSeenAt: seenAt };
  launcher.when(listGames).reply(() => ({ services: allSwitchesOn, games: [saga], rules: events }));
  const has = givePosts(launcher, given);
  const opened = await openApp(fragment, launcher);
  /** The requested changes, without the requests for a preview. */
  const changes = () => launcher.changes.filter((change) => !change.startsWith("POST /api/post-rules/preview"));
  return { has, changes, ...opened };
}

/** A social event that the game has sent. */
const eventOf = (eventId: string, members: Partial<EventIdRule> = {}): EventIdRule =>
  eventRuleOf(eventId, { kind: "social", ...members });

const editorOf = async (name: string) => within(await screen.findByRole("form", { name }));
const ruleOf = async (pattern: string) => within(await screen.findByRole("article", { name: pattern }));
const bodyOf = (change: string | undefined) => JSON.parse(change?.replace(/^\S+ \S+ /u, "") ?? "null");

test("a rule is written with suggested event ids, inserted variables, and a preview for each network", async () => {
  const events = [eventOf("saga_boss_defeated"), eventOf("saga_seen", { kind: "recording" })];
  const { changes, user } = await openRules("#/post-rules", { events });
  await screen.findByText("No rules yet.");
  await user.click(screen.getByRole("button", { name: "New rule" }));
  const editor = await editorOf("A new rule");
  const suggested = () =>
    [...document.querySelectorAll<HTMLOptionElement>("datalist option")].map(({ value }) => value);
  await waitFor(() => assert.deepEqual(suggested(), ["saga_boss_defeated", "saga_*"]));
  await user.keyboard("saga_*");
  assert.equal(editor.getByLabelText<HTMLInputElement>("Event ID").value, "saga_*");
  const text = editor.getByLabelText<HTMLTextAreaElement>("Text");
  await user.clear(text);
  await user.type(text, "Done: , at last");
  text.setSelectionRange(6, 6);
  await user.click(editor.getByRole("button", { name: "event" }));
  await user.keyboard("!");
  assert.equal(text.value, "Done: {{event}}!, at last");
  await user.click(editor.getByRole("checkbox", { name: /^Bluesky/u }));
  await editor.findByText("Done: boss defeated!, at last");
  await waitFor(() => assert.equal(document.querySelectorAll(".preview").length, 1));
  await editor.findByText("29 / 300");
  await assertAccessible();
  await user.selectOptions(editor.getByLabelText("Approval"), "automatic");
  await user.selectOptions(editor.getByLabelText("If the attachment is missing"), "post");
  const cooldown = editor.getByLabelText("Between two posts");
  await user.clear(cooldown);
  await user.type(cooldown, "600");
  await user.click(editor.getByRole("button", { name: "Save the rule" }));
  await toastThatSays("Rule added.");
  const rule = await ruleOf("saga_*");
  for (const says of ["With the clip", "Sent without asking", "The same event at most every 10 minutes"])
    rule.getByText(says);
  await assertAccessible();
  assert.equal(changes().length, 1);
  assert.deepEqual(bodyOf(changes()[0]), {
    ...postRuleDefaults,
    pattern: "saga_*",
    accounts: ["account-bluesky"],
    text: "Done: {{event}}!, at last",
    approval: "automatic",
    without: "post",
    cooldownSeconds: 600,
  });
});

test("a rule that cannot be saved shows the reason, from the page or from the launcher", async () => {
  const { has, launcher, changes, user } = await openRules("#/post-rules?for=saga_won");
  const editor = await editorOf("A new rule");
  assert.equal(editor.getByLabelText<HTMLInputElement>("Event ID").value, "saga_won");
  const save = editor.getByRole("button", { name: "Save the rule" });
  const untilAlert = (text: string) => waitFor(() => assert.equal(editor.getByRole("alert").textContent, text));
  await user.click(save);
  await untilAlert("Choose at least one account.");
  await user.click(editor.getByRole("checkbox", { name: /^Discord/u }));
  const cooldown = editor.getByLabelText("Between two posts");
  await user.clear(cooldown);
  await user.type(cooldown, "soon");
  await user.click(save);
  await untilAlert("Enter the time between two posts in seconds.");
  assert.deepEqual(changes(), []);
  await user.clear(cooldown);
  await user.type(cooldown, "60");
  launcher.refuseNext(addPostRule, "There is a rule for this already.");
  await user.click(save);
  await untilAlert("There is a rule for this already.");
  assert.deepEqual([has.rules, changes().length], [[], 1]);
  await user.click(editor.getByRole("button", { name: "Cancel" }));
  await waitFor(() => assert.ok(screen.queryByRole("form", { name: "A new rule" }) === null));
  assert.equal(location.hash, "#/post-rules");
  assert.equal(document.activeElement?.textContent, "Post rules");
});

test("only the changed fields of an edited rule are sent, and the focus returns to its button", async () => {
  const rules = [postRuleOf("saga_won", { accounts: ["account-discord", "account-gone"], held: 4 }), postRuleOf("*")];
  const { changes, user } = await openRules("#/post-rules", { rules });
  const card = await ruleOf("saga_won");
  card.getByText("4 events held back");
  await card.findByText("1 removed account");
  await user.click(card.getByRole("button", { name: "Edit: saga_won" }));
  const editor = await editorOf("Edit: saga_won");
  await user.click(editor.getByRole("checkbox", { name: "A removed account" }));
  await user.selectOptions(editor.getByLabelText("Attachment"), "none");
  await user.click(editor.getByRole("button", { name: "Save the rule" }));
  await toastThatSays("Rule saved.");
  assert.deepEqual(bodyOf(changes()[0]), { accounts: ["account-discord"], attach: "none" });
  await waitFor(() => assert.equal(document.activeElement?.getAttribute("aria-label"), "Edit: saga_won"));
  const saved = await ruleOf("saga_won");
  await user.click(saved.getByRole("switch", { name: "Makes posts: saga_won" }));
  await saved.findByText("Off");
  assert.deepEqual(changes().slice(1), ['PUT /api/post-rules/rule-saga_won {"enabled":false}']);
});

test("a new rule starts with the text that the developer suggests, and can be reset to it", async () => {
  const events = [eventOf("saga_won", { postText: "Won at last: {{event}}" })];
  const { user } = await openRules("#/post-rules?for=saga_won", { events });
  const text = (await editorOf("A new rule")).getByLabelText<HTMLTextAreaElement>("Text");
  assert.equal(text.value, "Won at last: {{event}}");
  await user.clear(text);
  await user.type(text, "Mine");
  await screen.findByText("The developer suggests: Won at last: {{event}}");
  await user.click(screen.getByRole("button", { name: "Use this text" }));
  await waitFor(() => assert.equal(text.value, "Won at last: {{event}}"));
});

test("Undo restores a removed rule unchanged", async () => {
  const rule = postRuleOf("saga_won", { text: "Won!", contentWarning: "Spoilers", enabled: false });
  const { changes, user } = await openRules("#/post-rules", { rules: [rule] });
  const card = await ruleOf("saga_won");
  await user.click(card.getByRole("button", { name: "Remove: saga_won" }));
  await screen.findByText("No rules yet.");
  await user.click(within(await toastThatSays("Rule removed: saga_won.")).getByRole("button", { name: "Undo" }));
  (await ruleOf("saga_won")).getByText("Won!");
  const { id: _id, createdAt: _at, posts: _posts, lastPostAt: _last, held: _held, ...kept } = rule;
  assert.equal(changes()[0], "DELETE /api/post-rules/rule-saga_won");
  assert.deepEqual(bodyOf(changes()[1]), kept);
});

test("without an account, the page links to where one is connected", async () => {
  const { user } = await openRules("#/post-rules", { accounts: [] });
  await user.click(screen.getByRole("button", { name: "New rule" }));
  await editorOf("A new rule");
  await assertAccessible();
  await user.click(screen.getByRole("link", { name: "Connect one first" }));
  await screen.findByRole("heading", { level: 1, name: "Accounts" });
});

test("a new rule uses the only account", async () => {
  const { user } = await openRules("#/post-rules", { accounts: [accountOf("webhook")] });
  await user.click(screen.getByRole("button", { name: "New rule" }));
  const editor = await editorOf("A new rule");
  assert.ok(editor.getByRole<HTMLInputElement>("checkbox", { name: /^Webhook/u }).checked);
});

test("settings for all posts are saved at once, and an error is shown at its field", async () => {
  const { launcher, changes, user } = await openRules("#/post-rules");
  const section = within(await screen.findByRole("region", { name: "For all posts" }));
  const enter = async (label: string, typed: string) => {
    const field = section.getByLabelText(label);
    await user.clear(field);
    await user.type(field, `${typed}{Enter}`);
  };
  await enter("Time to undo", "30");
  await section.findByText("Saved");
  await enter("Drafts expire after", "long");
  assert.equal((await section.findByRole("alert")).textContent, "Not saved: enter a number.");
  launcher.refuseNext(changePostSettings, "hourlyMax must be 60 or less.");
  await enter("Hourly limit", "99");
  await waitFor(() => assert.equal(section.getByRole("alert").textContent, "hourlyMax must be 60 or less."));
  assert.deepEqual(changes(), ['PUT /api/post-settings {"undoSeconds":30}', 'PUT /api/post-settings {"hourlyMax":99}']);
});

test("a new rule is not offered the demo's account, and posts to the only real one", async () => {
  const accounts = [accountOf("webhook", { name: "Kit's demo", demo: true }), accountOf("discord")];
  const { user } = await openRules("#/post-rules", { accounts });
  await screen.findByText("No rules yet.");
  await user.click(screen.getByRole("button", { name: "New rule" }));
  const boxes = (await editorOf("A new rule")).getAllByRole<HTMLInputElement>("checkbox");
  assert.deepEqual(
    boxes.map(({ labels, checked }) => [labels?.[0]?.textContent, checked]),
    [["Discord#clips", true]],
  );
});
