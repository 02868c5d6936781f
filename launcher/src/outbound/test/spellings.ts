// All known spellings of addresses that a request must not reach, for tests.

/** This computer, its networks, and the addresses where clouds provide the keys of their machines. */
const targets = [
  "127.0.0.1",
  "127.0.0.2",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "169.254.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.168.0.1",
  "192.168.255.255",
  "198.18.0.1",
  "224.0.0.1",
  "239.255.255.250",
  "255.255.255.255",
];

const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => (digit === "0" ? "\u24ea" : String.fromCodePoint(0x245f + Number(digit))));
const bold = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
const hex = (part: number, digits = 2) => part.toString(16).padStart(digits, "0");

function spellingsOf(target: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = target.split(".").map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const high = hex(a * 256 + b, 1);
  const low = hex(c * 256 + d, 1);
  return [
    target,
    `${target}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(c)}.0x${hex(d)}`,
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join("."),
    [a, b, c, d].map((part) => `0000${part.toString(8)}`).join("."),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    wide(target),
    circled(target),
    bold(target),
    target.replaceAll(".", "\u3002"),
    target.replaceAll(".", "\uff0e"),
    target.replaceAll(".", "%2e"),
    [...target].map((character) => `%${hex(character.charCodeAt(0))}`).join(""),
    `[::ffff:${target}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[::${target}]`,
    `[::ffff:0:${target}]`,
    `[64:ff9b::${target}]`,
    `[64:ff9b:1::${target}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:${high}:${low}::1]`,
    `[fe80::5efe:${target}]`,
  ];
}

const others = [
  "0",
  "127.1",
  "127.0.1",
  "0177.1",
  "0x7f.1",
  "2130706433",
  "017700000001",
  "00000000000017700000001",
  "0x7f000001",
  "0x000000007f000001",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000:0000:0000:0000:0000:0000:0000:0001]",
  "[::0.0.0.1]",
  "[::1%25lo]",
  "[::1%lo]",
  "[fe80::1]",
  "[fe80::1%25eth0]",
  "[febf::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fdff::1]",
  "[ff02::1]",
  "[ff0e::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "192.88.99.1",
  "240.0.0.1",
  "localhost",
  "localhost.",
  "LOCALHOST",
  "LocalHost",
  "loc%61lhost",
  "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54",
  "user@127.0.0.1",
  "example.com@127.0.0.1",
  "user:password@localhost",
  "256.0.0.1",
  "127.0.0.1.1",
  "1.2.3.4.5",
  "127.0.0.1\\@example.com",
];

/** Hosts as written in a URL. */
export const spellings: readonly string[] = [...new Set([...targets.flatMap(spellingsOf), ...others])];

/** Forbidden results of a name lookup, as a resolver returns them. */
export const resolvedTo: readonly (readonly string[])[] = [
  ...targets.map((target) => [target]),
  ...targets.map((target) => [`::ffff:${target}`]),
  ...targets.map((target) => [`64:ff9b::${target}`]),
  ["::1"],
  ["::"],
  ["fe80::1%lo"],
  ["fe80::1"],
  ["fd00:ec2::254"],
  ["2002:7f00:1::1"],
  ["::127.0.0.1"],
  ["ff02::1"],
  // Public addresses among them do not help.
  ["198.41.0.4", "127.0.0.1"],
  ["127.0.0.1", "198.41.0.4"],
  ["2606:4700::1", "::1"],
  ["198.41.0.4", "2606:4700::1", "10.0.0.1"],
  [],
];
