// Saves a clip of the real screen without an event, for tests of what a person does with a clip.
import assert from "node:assert/strict";
import { type Client, changeClip, changeRecorder, getRecorder, saveRecording } from "@kit/contract";
import { eventually } from "./stage.ts";

/** Records the screen, saves its last five seconds, and gives the clip the title. Returns its id. */
export async function saveClip(client: Client, title: string): Promise<string> {
  await client.call(changeRecorder, { body: { when: "always", picture: "screen" } });
  const holdsEnough = async () => (await client.call(getRecorder)).state.heldSeconds > 5;
  await eventually(holdsEnough, true);
  const { id, state } = await client.call(saveRecording, { body: { seconds: 5 } });
  assert.equal(state, "saved");
  await client.call(changeClip, { params: { id }, body: { title } });
  return id;
}
