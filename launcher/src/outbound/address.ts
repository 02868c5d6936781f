// Decides which addresses a request may contact: servers on the internet over https, and this computer if a person named it.
import { BlockList, isIP } from "node:net";
import { type Message, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";

type Subnet = readonly [network: string, prefix: number];

type SubnetTest = (address: string) => boolean;

/** Returns a function that tells whether an address is in the subnets. Its list is made on first use: many launchers send no requests. */
function subnetTest(family: "ipv4" | "ipv6", subnets: readonly Subnet[]): SubnetTest {
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

const isOwn4 = subnetTest("ipv4", [["127.0.0.0", 8]]);

/** IANA's special-purpose addresses that are not on the internet, and multicast. */
const isSpecial4 = subnetTest("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Link-local: contains the metadata services that give cloud machines their keys.
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

/** All IPv6 addresses assigned to the internet. Others are private, link-local, multicast or embed an IPv4 address. */
const isGlobal6 = subnetTest("ipv6", [["2000::", 3]]);
const isSpecial6 = subnetTest("ipv6", [
  // Teredo and other tunnels; documentation; 6to4, which embeds an IPv4 address.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);
/** NAT64, through which a network without IPv4 reaches the IPv4 internet. The last 32 bits are the IPv4 address. */
const isTranslated = subnetTest("ipv6", [["64:ff9b::", 96]]);

function embeddedIpv4(address: string): string {
  const groups = canonicalIpv6(address).split(":").slice(-2);
  const [high, low] = groups.map((group) => Number.parseInt(group || "0", 16));
  return [high ?? 0, low ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
}

/** Whether a resolved IP address is on the public internet. An address with a zone is link-local. */
function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isSpecial4(address);
  if (isIP(address) !== 6 || address.includes("%")) return false;
  if (isTranslated(address)) return !isSpecial4(embeddedIpv4(address));
  return isGlobal6(address) && !isSpecial6(address);
}

/** Returns the canonical spelling of an IPv6 address, as in a URL. The address must have no zone. */
const canonicalIpv6 = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1);

/** Whether an address is loopback. Does not accept ::ffff:127.0.0.1, which a BlockList would treat as 127.0.0.1. */
function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return isOwn4(address);
  return isIP(address) === 6 && !address.includes("%") && canonicalIpv6(address) === "::1";
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, "");

/** Whether the host of a URL is localhost or a loopback address. */
export function isLocalHost(host: string): boolean {
  return host === "localhost" || isLoopback(withoutBrackets(host));
}

/**
 * Returns why an address must not be contacted, or undefined if it may. `mayBeOwn`: a person named this computer as the
 * server, so no other address is allowed.
 */
export function blockedReason(address: string, mayBeOwn: boolean): Message | undefined {
  if (mayBeOwn) return isLoopback(address) ? undefined : message("address.localhost_elsewhere");
  return isPublic(address) ? undefined : message("address.resolves_privately");
}

/** Parses a URL that a person gave. Throws KitError with the path of the field if it is not allowed. */
export function parseServerUrl(text: string, path: string): URL {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : rejectField(path, message("address.incomplete"));
  const host = withoutBrackets(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") rejectField(path, message("address.not_https"));
  if (url.protocol === "http:" && !isLocalHost(host)) rejectField(path, message("address.plain_http"));
  if (url.username !== "" || url.password !== "") rejectField(path, message("address.password"));
  if (isIP(host) !== 0 && !isLocalHost(host) && blockedReason(host, false) !== undefined)
    rejectField(path, message("address.private"));
  return url;
}
