// Prepares the launcher for the demo: its game, its rules, and a local account whose posts need approval.
import {
  addAccount,
  addPostRule,
  type Client,
  changeAccount,
  changeLibraryGame,
  changeRecordingRule,
  demoAccountName,
  demoGame,
  demoGameName,
  demoSocialId,
  KitError,
  listAccounts,
  listPostRules,
  registerGame,
  startDemoWebhook,
} from "@kit/contract";
import { demoRecordingRules } from "./story.ts";

async function ensureDemoAccount(client: Client): Promise<string> {
  const [{ url }, { accounts }] = await Promise.all([client.call(startDemoWebhook), client.call(listAccounts)]);
  const existing = accounts.find(({ network, name }) => network === "webhook" && name === demoAccountName);
  if (existing === undefined) {
    const body = { network: "webhook" as const, name: demoAccountName, fields: { url } };
    return (await client.call(addAccount, { body })).account.id;
  }
  // The URL changes if the launcher restarted, because the demo's webhook may get another port.
  if (existing.host !== new URL(url).host)
    await client.call(changeAccount, { params: { id: existing.id }, body: { fields: { url } } });
  return existing.id;
}

/** Adds a rule that asks before posting. Without it, a person's own rule for all events might post the demo automatically. */
async function ensurePostRule(client: Client): Promise<void> {
  const { rules } = await client.call(listPostRules);
  if (rules.some(({ pattern }) => pattern === demoSocialId)) return;
  const body = {
    pattern: demoSocialId,
    accounts: [await ensureDemoAccount(client)],
    text: "A new high score in {{game}}: {{event}}!",
    approval: "ask" as const,
    cooldownSeconds: 30,
  };
  await client.call(addPostRule, { body });
}

/** Prepares the post. Returns why the demo has to do without it, or undefined. */
async function prepareSocial(client: Client): Promise<string | undefined> {
  try {
    await ensurePostRule(client);
    return undefined;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    return `The demo skips its post: ${error.message}`;
  }
}

/** Prepares everything. Returns why the demo has to do without its post, or undefined. */
export async function prepareDemo(client: Client, seconds: number): Promise<string | undefined> {
  await client.call(registerGame, { body: { game: demoGame } });
  // Naming the game may fail without harm: the game is then shown with its prefix.
  await client.call(changeLibraryGame, { body: { game: demoGame, name: demoGameName } }).catch(() => undefined);
  for (const rule of demoRecordingRules(seconds)) await client.call(changeRecordingRule, { body: rule });
  return prepareSocial(client);
}
