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
  // The demo's webhook may have another port since the launcher restarted.
  if (existing.host !== new URL(url).host)
    await client.call(changeAccount, { params: { id: existing.id }, body: { fields: { url } } });
  return existing.id;
}

/** Adds a post rule that asks first, so that a person's own catch-all rule never posts the demo automatically. */
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

/** Prepares the post. Returns why that is impossible, or undefined. */
async function prepareSocial(client: Client): Promise<string | undefined> {
  try {
    await ensurePostRule(client);
    return undefined;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    return `The demo skips its post: ${error.message}`;
  }
}

/** Prepares everything. Returns why the demo skips its post, or undefined if it does not. */
export async function prepare(client: Client, seconds: number): Promise<string | undefined> {
  await client.call(registerGame, { body: { game: demoGame } });
  // A failure is harmless: the game is then shown by its prefix.
  await client.call(changeLibraryGame, { body: { game: demoGame, name: demoGameName } }).catch(() => undefined);
  for (const rule of demoRecordingRules(seconds)) await client.call(changeRecordingRule, { body: rule });
  return prepareSocial(client);
}
