// What the launcher needs before the demo's game sends: its name, its rules, and an account whose posts stay in the demo.
import {
  addAccount,
  addPostRule,
  type Client,
  changeLibraryGame,
  changePostRule,
  changeRecordingRule,
  demoAccountName,
  demoGame,
  demoGameName,
  demoSocialId,
  getRecorder,
  hasCode,
  listAccounts,
  listPostRules,
  registerGame,
} from "@kit/contract";

/** Short clips, so that a flight makes two. The best moment is that of the highest priority. */
const clip = { action: "clip", preSeconds: 6, postSeconds: 3, mergeGapSeconds: 2, cooldownSeconds: 0 } as const;
const recordingRules = [
  { eventId: `${demoGame}_started`, action: "nothing" },
  { eventId: `${demoGame}_five_stars`, ...clip },
  { eventId: `${demoGame}_jewel_found`, ...clip },
  { eventId: `${demoGame}_storm_passed`, ...clip, priority: 900 },
  { eventId: demoSocialId, ...clip },
] as const;

async function demoAccount(client: Client): Promise<string> {
  const { accounts } = await client.call(listAccounts);
  const known = accounts.find(({ demo }) => demo);
  if (known !== undefined) return known.id;
  // Kit sends nothing to this URL, but an account needs one.
  const body = { network: "webhook", name: demoAccountName, fields: { url: "http://localhost/" }, demo: true } as const;
  return (await client.call(addAccount, { body })).account.id;
}

/** Adds a rule that asks before posting. Without it, a rule of the user for all events could post the demo automatically. */
async function ensurePostRule(client: Client): Promise<void> {
  const account = await demoAccount(client);
  const { rules } = await client.call(listPostRules);
  const known = rules.find(({ pattern }) => pattern === demoSocialId);
  const accounts = [account];
  // The account may be a new one.
  if (known !== undefined && !known.accounts.includes(account))
    await client.call(changePostRule, { params: { id: known.id }, body: { accounts } });
  if (known !== undefined) return;
  const text = "A new high score in {{game}}!";
  await client.call(addPostRule, {
    body: { pattern: demoSocialId, accounts, text, approval: "ask", cooldownSeconds: 30 },
  });
}

export async function prepareDemo(client: Client): Promise<void> {
  await client.call(registerGame, { body: { game: demoGame } });
  await client.call(changeLibraryGame, { body: { game: demoGame, name: demoGameName } });
  for (const body of recordingRules) await client.call(changeRecordingRule, { body });
  await ensurePostRule(client);
}

const askEveryMs = 500;
/** How long the flight waits for the recorder. It first tries inputs and encoders, which takes long on a busy computer. */
const recorderWithinMs = 45_000;
/** The first clip shows something of what came before its moment. The capture begins anew when the recorder has chosen its encoder. */
const footageMsMin = 2_000;

/** Resolves when the recorder has some footage, or when waiting for it is pointless. */
export async function untilRecording(client: Client, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + recorderWithinMs;
  let readyMs = Number.POSITIVE_INFINITY;
  while (!signal.aborted && performance.now() < endMs) {
    const { state, detail, heldSeconds } = (await client.call(getRecorder)).state;
    if (state === "off" || state === "broken") return;
    const isReady = state === "recording" && heldSeconds > 0 && !hasCode(detail, "recorder.still_probing");
    readyMs = isReady ? Math.min(readyMs, performance.now()) : Number.POSITIVE_INFINITY;
    if (performance.now() - readyMs >= footageMsMin) return;
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
