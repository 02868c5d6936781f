// Tests of the part of a clip that a post carries: it is shown, played, and changed by a person.
import assert from "node:assert/strict";
import {
  changePost,
  getPost,
  getPostSettings,
  listAccounts,
  listPostRules,
  listPosts,
  type Post,
  postSettingDefaults,
  previewPost,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { fill } from "../../../test/component/fill.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { accountOf, postOf, readyFootage } from "../../../test/post-samples.ts";

const around = { fromSeconds: 12, toSeconds: 29 };
const footage = { ...readyFootage, clipSeconds: 41.2, part: around, momentPart: around };

/** Opens the page of one draft, which carries the seconds around its moment. */
async function openDraft() {
  let post: Post = postOf(1, { footage, text: "Down!" });
  const launcher = createFakeLauncher();
  launcher.when(listPosts).reply(() => ({ posts: [post], more: false, drafts: 1, held: 0 }));
  launcher.when(getPost).reply(() => post);
  launcher.when(listAccounts).reply(() => ({ accounts: [accountOf("discord"), accountOf("bluesky")] }));
  launcher.when(listPostRules).reply(() => ({ rules: [] }));
  launcher.when(previewPost).reply(() => ({ previews: [] }));
  launcher.when(getPostSettings).reply(() => postSettingDefaults);
  launcher.when(changePost).reply(({ body: { part } }) => {
    post = { ...post, footage: { ...post.footage, part: part ?? null } };
    return post;
  });
  const opened = await openApp("#/posts", launcher);
  const text = await screen.findByText("Down!");
  return { ...opened, id: post.id, card: within(text.closest<HTMLElement>(".post") ?? assert.fail()) };
}

test("a draft says which seconds of its clip it carries, and plays exactly the file that is posted", async () => {
  const { user, id, card } = await openDraft();
  card.getByText("0:12 to 0:29 of 0:41");
  await user.click(card.getByRole("button", { name: "Play what is posted, 17 seconds long" }));
  const dialog = await screen.findByRole("dialog", { name: "What is posted" });
  assert.equal(dialog.querySelector("video")?.getAttribute("src"), `/api/posts/${id}/video?pass=pass`);
  await assertAccessible();
  within(dialog).getByRole("link", { name: "Open the whole clip" });
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await waitFor(() => assert.ok(!screen.queryByRole("dialog", { name: "What is posted" })));
});

test("a person has the whole clip posted, other seconds, or those of the moment again", async () => {
  const { launcher, user, id, card } = await openDraft();
  const edit = async (choice: string, type?: () => Promise<unknown>) => {
    await user.click(await card.findByRole("button", { name: /^Edit/u }));
    await user.selectOptions(await screen.findByLabelText("Part of the clip"), choice);
    await type?.();
    await user.click(screen.getByRole("button", { name: "Save" }));
    await card.findByRole("button", { name: /^Edit/u });
    await screen.findByText("Saved: Boss defeated.");
  };
  await edit("whole");
  await edit("other", async () => {
    fill(screen.getByLabelText("Start and end, in seconds"), "30");
    await screen.findByText("Choose at least 0.5 s between 0 and 41.2 s.");
    fill(screen.getByLabelText("End, in seconds"), "35,5");
  });
  await edit("moment");
  const change = (part: object | null) => `PUT /api/posts/${id} ${JSON.stringify({ part })}`;
  const changes = launcher.changes.filter((each) => !each.includes("/preview"));
  assert.deepEqual(changes, [change(null), change({ fromSeconds: 30, toSeconds: 35.5 }), change(around)]);
});
