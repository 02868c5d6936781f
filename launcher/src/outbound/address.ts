// Where a request may go: to servers on the internet over https, and to this machine where a person named it.
import { BlockList, isIP } from "node:net";
import { KitError } from "@kit/contract";

type Subnet = readonly [network: string, prefix: number];

type Holds = (address: string) => boolean;

/** Made when it is first asked, not at the start of a launcher that may never reach anybody. */
function listOf(family: "ipv4" | "ipv6", subnets: readonly Subnet[]): Holds {
  let list: BlockList | undefined;
  const made = () => {
    const blocks = new BlockList();
    for (const [network, prefix] of subnets) blocks.addSubnet(network, prefix, family);
    return blocks;
  };
  return (address) => {
    list ??= made();
    return list.check(address, family);
  };
}

const isOwn4 = listOf("ipv4", [["127.0.0.0", 8]]);

/** What IANA's registry of special addresses keeps from the internet, and what is for many at once. */
const isSpecial4 = listOf("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local: among these is where clouds hand out their machines' keys.
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]);

/** All that was ever given out of IPv6 for the internet; the rest is private, link-local, multicast or an IPv4 address in disguise. */
const isGlobal6 = listOf("ipv6", [["2000::", 3]]);
const isSpecial6 = listOf("ipv6", [
  // Teredo and other tunnels; documentation; 6to4, which holds an IPv4 address.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);
/** How a network without IPv4 shows the IPv4 internet: the last 32 bits are the address that is meant. */
const isTranslated = listOf("ipv6", [["64:ff9b::", 96]]);

function meantBy(address: string): string {
  const groups = canonical6(address).split(":").slice(-2);
  const [high, low] = groups.map((group) => Number.parseInt(group || "0", 16));
  return [high ?? 0, low ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
}

/** An IP address as the system gives it. With a zone it is link-local. */
function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isSpecial4(address);
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (isTranslated(address)) return !isSpecial4(meantBy(address));
  return isGlobal6(address) && !isSpecial6(address);
}

/** As a URL has it: one spelling an address. Never with a zone. */
const canonical6 = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);

/** Not in disguise: a list would take ::ffff:127.0.0.1 for 127.0.0.1. */
function isOwn(address: string): boolean {
  if (isIP(address) === 4) return isOwn4(address);
  return isIP(address) === 6 && !address.includes("%") && canonical6(address) === "::1";
}

const bare = (host: string) => host.replace(/^\[|\]$/g, "");

/** Whether a host, as a URL spells it, is this machine by its own name. */
export function isOwnHost(host: string): boolean {
  return host === "localhost" || isOwn(bare(host));
}

const onlyPublic = "Only servers on the internet are reached, and a server on this machine by the name localhost";

/** Why an address must not be connected to; undefined when it may be. `mayBeOwn`: the host is this machine by its own name, and a person gave it. */
export function refusalOf(address: string, mayBeOwn: boolean): string | undefined {
  if (mayBeOwn) return isOwn(address) ? undefined : "The name localhost leads to another machine here.";
  return isPublic(address) ? undefined : `The address leads into a private or reserved network. ${onlyPublic}.`;
}

function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/** The address a person gave. Throws KitError, with the path of the field, for what is not asked. */
export function checkedUrl(text: string, path: string): URL {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed)
    ? new URL(trimmed)
    : refuse(path, "must be a whole address such as https://example.com");
  const host = bare(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") refuse(path, "must begin with https://");
  if (url.protocol === "http:" && !isOwnHost(host))
    refuse(path, "must begin with https://; plain http is only for this machine");
  if (url.username !== "" || url.password !== "") refuse(path, "must hold neither a name nor a password before the @");
  if (isIP(host) !== 0 && !isOwnHost(host) && refusalOf(host, false) !== undefined)
    refuse(path, "leads into a private or reserved network: give a server on the internet, or one on this machine");
  return url;
}
