// What has to stand before the made-up game plays: its name, its rules, and that its post is asked about and stays here.
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
import { rulesFor } from "./story.ts";

async function ownAccount(client: Client): Promise<string> {
  const [{ url }, { accounts }] = await Promise.all([client.call(startDemoWebhook), client.call(listAccounts)]);
  const known = accounts.find(({ network, name }) => network === "webhook" && name === demoAccountName);
  if (known === undefined) {
    const body = { network: "webhook" as const, name: demoAccountName, fields: { url } };
    return (await client.call(addAccount, { body })).account.id;
  }
  // The letterbox may be at another port than in the launcher's last run.
  if (known.host !== new URL(url).host)
    await client.call(changeAccount, { params: { id: known.id }, body: { fields: { url } } });
  return known.id;
}

/** A person may have a rule for every event that posts without asking: the demo's own goes before it, and asks. */
async function socialRule(client: Client): Promise<void> {
  const { rules } = await client.call(listPostRules);
  if (rules.some(({ pattern }) => pattern === demoSocialId)) return;
  const body = {
    pattern: demoSocialId,
    accounts: [await ownAccount(client)],
    text: "A new high score in {{game}}: {{event}}!",
    approval: "ask" as const,
    cooldownSeconds: 30,
  };
  await client.call(addPostRule, { body });
}

/** Why nothing may be told of it; undefined when the post will wait for a person. */
async function prepareSocial(client: Client): Promise<string | undefined> {
  try {
    await socialRule(client);
    return undefined;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    return `It asks for no post this time: ${error.message}`;
  }
}

/** Returns why the social trigger is left out, or undefined. */
export async function prepare(client: Client, seconds: number): Promise<string | undefined> {
  await client.call(registerGame, { body: { game: demoGame } });
  // The name is an ornament: without it the game is called by its prefix.
  await client.call(changeLibraryGame, { body: { game: demoGame, name: demoGameName } }).catch(() => undefined);
  for (const rule of rulesFor(seconds)) await client.call(changeRecordingRule, { body: rule });
  return prepareSocial(client);
}
