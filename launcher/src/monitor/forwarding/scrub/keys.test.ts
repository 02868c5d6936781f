// Tests that keys of known forms are removed, similar text stays, and no text takes long. The keys are invented here.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCostFollowsSize } from "../../../../../tools/run-tests/cost.ts";
import { createScrub } from "./scrub.ts";

const scrub = createScrub({ user: "ana.lima", host: "lima-desktop.local", home: "/srv/people/ana.lima" });

const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const alphabets = {
  id: `${upper}234567`,
  word: `${upper}${upper.toLowerCase()}0123456789`,
  base64: `${upper}${upper.toLowerCase()}0123456789+/`,
};
/** `length` characters that look random, with a digit among them, the same at each run. */
function drawn(length: number, alphabet: keyof typeof alphabets = "word"): string {
  const letters = alphabets[alphabet];
  return Array.from({ length }, (_, at) => (at === 1 ? "7" : letters[(at * 37 + length * 11) % letters.length])).join(
    "",
  );
}
const pem = (kind: string, line: string) =>
  [
    `-----BEGIN ${kind}PRIVATE KEY-----`,
    ...Array.from({ length: 4 }, () => drawn(64, "base64")),
    "Ab==",
    `-----END ${kind}PRIVATE KEY-----`,
  ].join(line);

/** The text, and the part of it that must be removed. */
type Secret = { readonly text: string; readonly secret: string };
const whole = (secret: string): Secret => ({ text: secret, secret });
const behind = (name: string, secret: string): Secret => ({ text: name + secret, secret });
const kinds: Readonly<Record<string, Secret>> = {
  "AWS key id": whole(`AKIA${drawn(16, "id")}`),
  "AWS session key id": whole(`ASIA${drawn(16, "id")}`),
  "AWS secret in the environment": behind("AWS_SECRET_ACCESS_KEY=", drawn(40, "base64")),
  "AWS secret in a credentials file": behind("aws_secret_access_key = ", drawn(40, "base64")),
  "AWS secret in an object": behind("secretAccessKey: '", drawn(40, "base64")),
  "AWS secret in JSON": behind('"SecretAccessKey":"', drawn(40, "base64")),
  "Google key": whole(`AIza${drawn(35)}`),
  "Google access token": whole(`ya29.${drawn(60)}`),
  "Azure storage": behind("AccountName=kit;AccountKey=", `${drawn(86, "base64")}==`),
  "Azure bus": behind("SharedAccessKeyName=all;SharedAccessKey=", `${drawn(43, "base64")}=`),
  "Azure signature": behind("https://x.example/a?sv=2022&SharedAccessSignature=", drawn(43)),
  "client secret in YAML": behind("client_secret: ", drawn(40)),
  "GitHub token": whole(`ghp_${drawn(36)}`),
  "GitHub server token": whole(`ghs_${drawn(36)}`),
  "GitHub fine-grained token": whole(`github_pat_${drawn(22)}_${drawn(59)}`),
  "GitLab token": whole(`glpat-${drawn(20)}`),
  "Slack token": whole(`xoxb-${drawn(12)}-${drawn(24)}`),
  "Slack webhook": behind("https://hooks.slack.com/services/", `T${drawn(8)}/B${drawn(8)}/${drawn(24)}`),
  "Stripe key": whole(`sk_live_${drawn(24)}`),
  "Stripe restricted key": whole(`rk_test_${drawn(24)}`),
  "npm token": whole(`npm_${drawn(36)}`),
  "OpenAI key": whole(`sk-proj-${drawn(48)}`),
  "Anthropic key": whole(`sk-ant-api03-${drawn(80)}`),
  "Discord bot": whole(`M${drawn(23)}.${drawn(6)}.${drawn(38)}`),
  "Discord webhook": behind("https://discord.com/api/webhooks/", `123456789012345678/${drawn(68)}`),
  "Discord webhook, older": behind("https://ptb.discordapp.com/api/v10/webhooks/", `123456789012345678/${drawn(68)}`),
  JWT: whole(`eyJ${drawn(20)}.eyJ${drawn(40)}.${drawn(43)}`),
  "unsigned JWT": whole(`eyJ${drawn(20)}.eyJ${drawn(40)}.`),
  "PEM block": whole(pem("", "\n")),
  "PEM block of an RSA key in JSON": whole(pem("RSA ", "\\n")),
  "PEM block with Windows' lines": whole(pem("ENCRYPTED ", "\r\n")),
};

for (const [kind, { text, secret }] of Object.entries(kinds)) {
  test(`a secret is removed in any surroundings: ${kind}`, () => {
    for (const [before, after] of [
      ["", ""],
      ["at ", " in x"],
      ['"', '"'],
      ["(", ")"],
      ["=", "&a=1"],
      ["[\\n", "\\n]"],
      ["%22", "%22"],
      ["\n", "\n"],
    ]) {
      const clean = scrub(`first ${before}${text}${after} last`);
      // No piece of the secret that is long enough to be useful is left.
      for (let at = 0; at + 12 <= secret.length; at += 1) {
        assert.ok(!clean.includes(secret.slice(at, at + 12)) || secret.slice(at, at + 12).includes("PRIVATE"), clean);
      }
      assert.ok(clean.includes("<removed>") && clean.startsWith("first ") && clean.endsWith(" last"), clean);
      assert.equal(scrub(clean), clean, "clean text stays unchanged");
    }
  });
}

test("a truncated private key is removed, and the stack behind it stays", () => {
  const cut = pem("", "\n").split("\n").slice(0, 3).join("\n");
  const clean = scrub(`bad key ${cut}\n    at load (game.js:4:2)`);
  assert.equal(clean, "bad key <removed>\n    at load (game.js:4:2)");
});

/** Texts that a developer needs, and that a too wide pattern would remove. */
const ordinary: readonly string[] = [
  "TypeError: Cannot read properties of undefined (reading 'token')\n    at Door.open (game.js:12:7)\n    at Object.<anonymous> (main.js:1:1)",
  "SyntaxError: Unexpected token: expected identifier in client_secret: undefined",
  "Invalid API key: none was given; accessToken: undefined, apiKey: null",
  "Invalid get index 'sk-door' (on base: 'Dictionary').\n   at: _process (res://levels/door.gd:41)",
  'Node not found: "/root/Main/HUD/Score" (relative to "/root/Main").',
  "get_node: /root/Main/Player:position is no node.",
  "System.NullReferenceException: Object reference not set to an instance of an object\n  at Door.Open (System.Int32 key) [0x00012] in <9f8e7d6c5b4a39281706f5e4d3c2b1a0>:0",
  "ERROR in action number 1 of Step Event0 for object obj_player: Variable obj_player.key(100003, -2147483648) not set before reading it.",
  "https://hooks.slack.com/docs and https://discord.com/channels/1/2 are no webhooks",
  "class sk-folding-cube-animation-of-the-door is missing",
  "npm_config_registry, npm_package_name and ghp_ are names",
  "asia2024 AKIA and AIza are words",
  "sha512-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUv==",
  "-----BEGIN CERTIFICATE----- is public",
  "the file must begin with -----BEGIN PRIVATE KEY-----\n    at load (game.js:4:2)\n    at main.js:1:1",
  "module.exports.sk-live 3.14.15.alpha eyJ.a.b",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 of res://root/door.gd, https://x.example/root/door.js",
];
test("an ordinary stack trace stays unchanged", () => {
  for (const text of ordinary) {
    const expected = text.includes("PRIVATE KEY") ? text.replace("-----BEGIN PRIVATE KEY-----", "<removed>") : text;
    assert.equal(scrub(text), expected);
  }
});

test("the cost of 128 KiB of beginnings of keys is linear", async () => {
  const pieces = [
    ...[
      "AKIA",
      "AIza",
      "ya29.",
      "ghp_",
      "github_pat_",
      "glpat-",
      "xoxb-",
      "sk_live_",
      "sk-",
      "npm_",
      "eyJ",
      "eyJaaaaaa.",
      "M.",
      "M7",
    ],
    ...[
      "accountkey=",
      "secret_access_key: ",
      "apikey",
      "api_",
      "access_",
      "https://hooks.slack.com/services/",
      "discord.com/api/webhooks/1/",
    ],
    ...[
      "-----BEGIN PRIVATE KEY-----",
      "-----BEGIN ",
      "-----",
      "-",
      "-----BEGIN PRIVATE KEY-----\nA",
      "/root/",
      "/root/a.",
      "%2froot%2f",
      "/var/",
    ],
  ];
  for (const piece of pieces.flatMap((each) => [each, `${each}a`, `${each} `, `${each}7`])) {
    await assertCostFollowsSize(JSON.stringify(piece), (share) =>
      scrub(piece.repeat(Math.ceil((131_072 * share) / piece.length))),
    );
  }
});

test("the cost of random sequences of such pieces is linear", async () => {
  const piece = fc.constantFrom(
    "AKIA",
    "eyJ",
    "sk-",
    "sk_live_",
    "apikey",
    "=",
    ": ",
    ".",
    "-",
    "-----BEGIN PRIVATE KEY-----",
    "A7b",
    "/root/",
    "%2f",
    "_",
    "\n",
    "M7x",
    "ghp_",
    "token",
  );
  const property = fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
    const unit = pieces.join("");
    const scrubbed = (share: number) => scrub(unit.repeat(Math.ceil((65_536 * share) / unit.length)));
    await assertCostFollowsSize(JSON.stringify(unit), scrubbed);
  });
  await fc.assert(property, { numRuns: 60 });
});
