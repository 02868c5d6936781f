// Checks addresses of forwarding targets: https to any server, plain http to this computer, and to private addresses only if a
// person says so. Addresses that no server can have are refused.

import { X509Certificate } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { type Message, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";

export type TargetUrl = {
  readonly url: string;
  /** Host and port, as shown to people. */
  readonly host: string;
};

type AddressLists = { readonly reserved: BlockList; readonly loopback: BlockList; readonly local: BlockList };

function createLists(): AddressLists {
  const nobody = new BlockList();
  nobody.addSubnet("0.0.0.0", 8);
  // Link-local addresses, among them the service that gives a machine in a cloud its keys.
  nobody.addSubnet("169.254.0.0", 16);
  nobody.addSubnet("224.0.0.0", 3);
  nobody.addAddress("::", "ipv6");
  nobody.addSubnet("fe80::", 10, "ipv6");
  nobody.addSubnet("ff00::", 8, "ipv6");
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8);
  own.addAddress("::1", "ipv6");
  const near = new BlockList();
  for (const [network, bits] of [
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
  ] as const)
    near.addSubnet(network, bits);
  near.addSubnet("fc00::", 7, "ipv6");
  return { reserved: nobody, loopback: own, local: near };
}

let lists: AddressLists | undefined;
/** The lists are made on first use, because most launchers never forward. */
function isInList(list: keyof AddressLists, address: string): boolean {
  lists ??= createLists();
  return lists[list].check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, "");

/** How a target is contacted. `withoutTls`: a person allowed plain http to a private address. */
export type TargetTransport = { readonly isPlain: boolean; readonly withoutTls: boolean };

const takesPlain = (address: string, withoutTls: boolean) =>
  isInList("loopback", address) || (withoutTls && isInList("local", address));

/** Returns why a resolved address must not be contacted, or undefined if it may. */
export function blockedTargetReason(address: string, { isPlain, withoutTls }: TargetTransport): Message | undefined {
  if (isInList("reserved", address)) return message("target.resolves_to_reserved");
  if (isPlain && !takesPlain(address, withoutTls))
    return message(withoutTls ? "target.resolves_outside" : "target.resolves_elsewhere");
  return undefined;
}

/** Throws KitError for an address that nothing must be sent to. `path` is the field that contains it. */
export function parseTargetUrl(text: string, withoutTls: boolean, path = "/address"): URL {
  const url = URL.canParse(text) ? new URL(text) : rejectField(path, message("address.incomplete"));
  const host = withoutBrackets(url.hostname);
  const isPlain = url.protocol === "http:";
  if (!isPlain && url.protocol !== "https:") rejectField(path, message("address.not_https"));
  const isLocalhost = host === "localhost";
  // The name of a server in the local network is checked when it is resolved.
  const isRefused = isIP(host) === 0 ? !withoutTls : !takesPlain(host, withoutTls);
  if (isPlain && !isLocalhost && isRefused)
    rejectField(path, message(withoutTls ? "target.plain_outside" : "target.plain_http"));
  if (isIP(host) !== 0 && isInList("reserved", host)) rejectField(path, message("target.reserved_address"));
  return url;
}

/** Throws KitError for what is not one certificate. `field` is what contains it. */
export function checkCertificate(certificate: string, field: string): void {
  try {
    new X509Certificate(certificate);
  } catch {
    rejectField(`${field}/certificate`, message("target.not_a_certificate"));
  }
}

const otlpLogsPath = "/v1/logs";

/**
 * Parses the address of a collector. Adds the OTLP path for logs if the address has none. Throws KitError. `path` is the field that
 * contains it.
 */
export function parseCollectorUrl(
  text: string,
  withoutTls: boolean,
  path = "/address",
): TargetUrl & { readonly path: string | null } {
  const url = parseTargetUrl(text.trim(), withoutTls, path);
  if (url.username !== "" || url.password !== "") rejectField(path, message("target.password"));
  if (url.search !== "" || url.hash !== "") rejectField(path, message("target.query"));
  if (url.pathname === "/") url.pathname = otlpLogsPath;
  const isUsual = url.pathname === otlpLogsPath;
  return { url: url.href, host: url.host, path: isUsual ? null : url.pathname };
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Headers that the request sets itself. */
const reservedHeaders = new Set([
  "host",
  "content-length",
  "content-type",
  "content-encoding",
  "transfer-encoding",
  "connection",
]);

/** Throws KitError for invalid headers. */
export function checkTargetHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || reservedHeaders.has(name.toLowerCase()))
      rejectField("/headers", message("target.header_name"));
    if (!/^[\x20-\x7e]*$/.test(value)) rejectField("/headers", message("target.header_value"));
  }
}
