// Tests that everything that identifies the player is removed, what a developer needs stays, and no text takes long.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertCostFollowsSize } from "../../../../../tools/run-tests/cost.ts";
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
  ["at Node::add(child) 12:30:45 a.js:12:34", "at Node::add(child) 12:30:45 a.js:12:34"],
  ["GET https://x.org/a?token=abc123&level=4", "GET https://x.org/a?token=<removed>&level=4"],
  ["https://bo:hunter2@x.org/a", "https://<removed>@x.org/a"],
  ["?api_key=1234&X-Amz-Signature=ffee#top", "?api_key=<removed>&X-Amz-Signature=<removed>#top"],
  ['{"password": "hunter2", "level": 4}', '{"password": "<removed>", "level": 4}'],
  ["Authorization: Bearer eyJhbGciOi.J9eyJzdWIi.x1y2", "Authorization: Bearer <removed>"],
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
