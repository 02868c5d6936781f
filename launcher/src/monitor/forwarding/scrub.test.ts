// Tests that everything that identifies the player is removed, and every key of a known form; that what a developer needs
// stays, and no text takes long. The keys are invented here.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { assertCostFollowsSize } from "../../../../tools/run-tests/cost.ts";
import { createScrub } from "./scrub.ts";

const ana = { user: "ana.lima", host: "lima-desktop.local", home: "/srv/people/ana.lima" };
const scrub = createScrub(ana);

/** Each text with its expected result. */
const corpus: readonly (readonly [string, string])[] = [
  ["at open (/home/bo/game/door.js:4:2)", "at open (~/game/door.js:4:2)"],
  ["/Users/bo/Library/game/save.json: No such file", "~/Library/game/save.json: No such file"],
  ["/var/home/bo/save", "~/save"],
  ["open /home/bo and /tmp/x", "open ~ and /tmp/x"],
  ["C:\\Users\\Bo Li\\AppData\\game.exe", "~\\AppData\\game.exe"],
  ["in C:\\\\Users\\\\Bo Li\\\\Documents\\\\x.cs:line 5", "in ~\\\\Documents\\\\x.cs:line 5"],
  ["C:/Users/BOLI~1/AppData/x", "~/AppData/x"],
  ["D:\\Documents and Settings\\bo\\x", "~\\x"],
  ["Cannot open C:\\Users\\bo.", "Cannot open ~"],
  ["file:///home/bo/game/index.html", "file:~/game/index.html"],
  ["f@file:///C:/Users/Bo%20Li/game/x.js:3:4", "f@file:///~/game/x.js:3:4"],
  ["path=%2Fhome%2Fbo%2Fgame", "path=~%2Fgame"],
  ["file%3A%2F%2F%2Fhome%2Fbo%2Fgame", "file%3A~%2Fgame"],
  ["C%3A%5CUsers%5Cbo%5Cgame", "~%5Cgame"],
  ["/mnt/c/Users/bo/game", "~/game"],
  ["Z:\\home\\bo\\game", "Z:~\\game"],
  ["at open (/root/game/door.js:4:2), /root/.local/share/kit", "at open (~/game/door.js:4:2), ~/.local/share/kit"],
  ["file:///root/game/index.html and %2Froot%2Fgame%2Findex.html", "file:~/game/index.html and ~%2Fgame%2Findex.html"],
  ["/var/root/game and /private/var/root/Library", "~/game and ~/Library"],
  ["\\root\\game\\door.js", "~\\game\\door.js"],
  ["\\\\nas\\Users\\Bo Li\\x.sav, \\\\nas\\C$\\Users\\bo\\x", "~\\x.sav, ~\\x"],
  ["https://nas.example/Users/bo/x", "https://nas.example/Users/bo/x"],
  [
    'Node not found: "/root/Main/HUD" (relative to "/root/Main").',
    'Node not found: "/root/Main/HUD" (relative to "/root/Main").',
  ],
  ["res://home/door.gd:41 and user://home/x", "res://home/door.gd:41 and user://home/x"],
  ["https://example.com/users/42/profile", "https://example.com/users/42/profile"],
  ["res://levels/home/door.gd", "res://levels/home/door.gd"],
  ["/srv/people/ana.lima/game and \\srv\\people\\ana.lima\\x", "~/game and ~\\x"],
  ["Hello Ana.Lima, on LIMA-DESKTOP and lima-desktop.local", "Hello <user>, on <host> and <host>"],
  ["banana.limassol, ana.limas", "banana.limassol, ana.limas"],
  ["write to bo.li+kit@mail.example.co.uk!", "write to <email>!"],
  ["res://gui/door@2x.png", "res://gui/door@2x.png"],
  ["mailto:bo%40example.com", "mailto:<email>"],
  ["from 203.0.113.7:8080, 192.168.1.20", "from <ip>:8080, <ip>"],
  ["127.0.0.1:9876 and [::1]:9876 are this machine", "127.0.0.1:9876 and [::1]:9876 are this machine"],
  [
    "System.Runtime, Version=4.0.0.0, Culture=neutral; engine v4.6.0.1",
    "System.Runtime, Version=4.0.0.0, Culture=neutral; engine v4.6.0.1",
  ],
  ["[2001:db8::8a2e:370:7334]:443 and fe80::1%eth0.", "[<ip>]:443 and <ip>"],
  ["ip:2001:db8:0:0:0:0:0:1", "ip:<ip>"],
  ["::ffff:203.0.113.7 and 2001:db8::203.0.113.7:", "<ip> and <ip>:"],
  ["cut after a::::b", "cut after <ip><ip>"],
  ["1:2:3:4:5:6:7:8:9:a:b:c:d:e:f:10", "<ip>:<ip>"],
  ["at Node::add(child) 12:30:45 a.js:12:34", "at Node::add(child) 12:30:45 a.js:12:34"],
  ["GET https://x.org/a?token=abc123&level=4", "GET https://x.org/a?token=<removed>&level=4"],
  ["https://bo:hunter2@x.org/a", "https://<removed>@x.org/a"],
  ["?api_key=1234&X-Amz-Signature=ffee#top", "?api_key=<removed>&X-Amz-Signature=<removed>#top"],
  ['{"password": "hunter2", "level": 4}', '{"password": "<removed>", "level": 4}'],
  ["Authorization: Bearer eyJhbGciOi.J9eyJzdWIi.x1y2", "Authorization: <removed>"],
  ["/media/bo/DISK/game and /run/media/bo/DISK/x", "~/DISK/game and ~/DISK/x"],
  ["Z:\\media\\bo\\DISK, /var/run/media/bo/d, /nfs/homes/bo/x", "Z:~\\DISK, ~/d, ~/x"],
  [
    "https://x.example/media/bo/a.png, res://media/bo/a.ogg, /media/a.png",
    "https://x.example/media/bo/a.png, res://media/bo/a.ogg, /media/a.png",
  ],
  ['{"Authorization":"Bearer hunter"}', '{"Authorization":"<removed>"}'],
  ["PGPASSWORD=x psql", "PGPASSWORD=<removed> psql"],
  ["password = 'x y', level 4", "password = '<removed>', level 4"],
  ["password: hunter", "password: <removed>"],
  ["Server=db;User Id=sa;Password=p!w;Database=kit", "Server=db;User Id=sa;Password=<removed>;Database=kit"],
  ["postgres://bo:p@ss@db.example/kit", "postgres://<removed>@db.example/kit"],
  ["postgres://bo:p/ss#1@db.example/kit and x", "postgres://<removed>@db.example/kit and x"],
  [
    "https://x.example:8080/@bo, https://x.example:8080/a@2x.png, https://x.example/@bo",
    "https://x.example:8080/@bo, https://x.example:8080/a@2x.png, https://x.example/@bo",
  ],
  ["<password>x</password><level>4</level>", "<password><removed></password><level>4</level>"],
  ['<w:apiKey kind="a"> x y\n</w:apiKey>', '<w:apiKey kind="a"><removed></w:apiKey>'],
  ["<Password><![CDATA[a<b]]></Password>", "<Password><removed></Password>"],
  ["<Password><![CDATA[a]b]]></Password>", "<Password><removed></Password>"],
  ["<Password><![CDATA[x]]>\n</Password>", "<Password><removed>\n</Password>"],
  ["<Password>\n  <![CDATA[x]]></Password>", "<Password><removed></Password>"],
  ["<Password><![CDATA[a<b", "<Password><removed>"],
  ["&lt;token&gt;x&lt;/token&gt; and <secret>cut", "&lt;token&gt;<removed>&lt;/token&gt; and <secret><removed>"],
  ["usage: login <name> <password> failed", "usage: login <name> <password> failed"],
  [
    "run --password x --level 4, --db-password 'x y' end",
    "run --password <removed> --level 4, --db-password '<removed>' end",
  ],
  ["--password is missing, --token needs a value", "--password is missing, --token needs a value"],
  ["Unexpected token = in JSON, Unexpected token : in JSON", "Unexpected token = in JSON, Unexpected token : in JSON"],
  ["device 019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41", "device 019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41"],
  ["the key of the door is lost, code 5", "the key of the door is lost, code 5"],
];

for (const [text, expected] of corpus) test(`scrubbing: ${text}`, () => assert.equal(scrub(text), expected));

test("an everyday account name changes no text", () => {
  const everyday = createScrub({ user: "player", host: "host", home: "/root" });
  assert.equal(everyday("The player hit root on host"), "The player hit root on host");
});

test("the home folder of root is replaced if the player is root", () => {
  const root = createScrub({ user: "root", host: "host", home: "/root" });
  assert.equal(root("open /root/game/save and /rooted/x, /a/root/x"), "open ~/game/save and /rooted/x, /a/root/x");
});

const name = fc.stringMatching(/^[a-z][a-z0-9]{4,11}$/).filter((text) => !"usershomeremovedemail".includes(text));
const around = fc.constantFrom(" ", "\n", "(", '"', "'", "=", "\t", ", ");
const noise = fc.string({ unit: fc.constantFrom(..."ab:/\\.%2fF @<>~_-é\n\"'=&?".split("")), maxLength: 40 });
const homes: readonly ((who: string) => string)[] = [
  (who) => `/home/${who}/game`,
  (who) => `/Users/${who}/game`,
  (who) => `C:\\Users\\${who}\\game`,
  (who) => `c:/users/${who}/game`,
  (who) => `file:///C:/Users/${who}/game`,
  (who) => `%2Fhome%2F${who}%2Fgame`,
];

test("the user name is removed from any home folder in any surroundings", () => {
  const surroundings = fc.record({ before: around, after: around, left: noise, right: noise });
  fc.assert(
    fc.property(name, fc.constantFrom(...homes), surroundings, (who, home, { before, after, left, right }) => {
      const clean = scrub(`${left}${before}${home(who)}${after}${right}`);
      assert.ok(!clean.includes(`/${who}/`) && !clean.includes(`\\${who}\\`) && !clean.includes(`2F${who}%`), clean);
    }),
    { numRuns: 2_000 },
  );
});

test("e-mail and IP addresses are removed", () => {
  const address = fc.oneof(
    fc.emailAddress({ size: "small" }).filter((mail) => /^[\w.+-]{1,60}@/.test(mail)),
    fc.ipV4(),
    fc.ipV6(),
  );
  fc.assert(
    fc.property(
      address,
      fc.constantFrom(" ", "\n", "(", "["),
      fc.constantFrom(" ", "\n", ")", "]", ", ", ". "),
      (secret, before, after) => {
        const clean = scrub(`from${before}${secret}${after}to`);
        const tellsNothing = /^(127\.|0\.0\.0\.0$|[0:.]*1?$)/.test(secret);
        assert.ok(tellsNothing || !clean.includes(secret), clean);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("the names of the account and the computer are removed wherever they are words, and clean text stays unchanged", () => {
  fc.assert(
    fc.property(noise, noise, fc.constantFrom("ana.lima", "ANA.LIMA", "lima-desktop"), (left, right, who) => {
      const clean = scrub(`${left} ${who} ${right}`);
      assert.ok(!clean.toLowerCase().includes(` ${who.toLowerCase()} `), clean);
      assert.equal(scrub(clean), clean);
    }),
    { numRuns: 2_000 },
  );
});

test("the cost of 128 KiB of the worst texts is linear", async () => {
  const pieces = [
    ...'a:/\\%@.?=<1f~ "',
    ...["/home/", "C:\\Users\\", "a@", "a.", "1.", "::", "a:", "%2f", "?token=", "://", "Bearer a", "bearer ", "key="],
    ...["a@a.", "f:f:", "ana.lim", "/srv/people/"],
  ];
  for (const piece of pieces.flatMap((each) => [each, `${each}a`, `${each} `])) {
    await assertCostFollowsSize(JSON.stringify(piece), (share) =>
      scrub(`${piece.repeat(Math.ceil((131_072 * share) / piece.length))}@`),
    );
  }
});

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
  "SendGrid key": whole(`SG.${drawn(22)}.${drawn(43)}`),
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
      "authorization: ",
      'authorization: a="',
      "authorization: a=a,",
      'password="',
      'password=\\\\"',
      "key='",
      "bearer ",
      "/media/",
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
