// Where reports may go: https anywhere, plain http to this machine alone. A person chose the server, so one in the local
// network is theirs to choose; what no server can have as its address is refused.
import { BlockList, isIP } from "node:net";
import { KitError } from "@kit/contract";

export type Destination = {
  readonly url: string;
  /** Host and port: what is shown. */
  readonly host: string;
};

type Lists = { readonly nobody: BlockList; readonly own: BlockList };

function makeLists(): Lists {
  const nobody = new BlockList();
  nobody.addSubnet("0.0.0.0", 8);
  // Link-local: among these is where clouds hand out their machines' keys.
  nobody.addSubnet("169.254.0.0", 16);
  nobody.addSubnet("224.0.0.0", 3);
  nobody.addAddress("::", "ipv6");
  nobody.addSubnet("fe80::", 10, "ipv6");
  nobody.addSubnet("ff00::", 8, "ipv6");
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8);
  own.addAddress("::1", "ipv6");
  return { nobody, own };
}

let lists: Lists | undefined;
/** The lists are made when one is first asked, not at the start of a launcher that may never forward. */
function holds(list: keyof Lists, address: string): boolean {
  lists ??= makeLists();
  return lists[list].check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
const literalIn = (host: string) => host.replace(/^\[|\]$/g, "");

/** Why an address a name resolved to must not be connected to; undefined when it may be. */
export function refusalOf(address: string, isPlain: boolean): string | undefined {
  if (holds("nobody", address)) return "The name leads to an address that no server has.";
  if (isPlain && !holds("own", address))
    return "Plain http is only for this machine; the name leads elsewhere. Use https.";
  return undefined;
}

export function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/** Throws KitError for what is no address to send to. */
export function checkedUrl(text: string): URL {
  const path = "/address";
  const url = URL.canParse(text) ? new URL(text) : refuse(path, "must be a whole address such as https://example.com");
  const host = literalIn(url.hostname);
  const isPlain = url.protocol === "http:";
  if (!isPlain && url.protocol !== "https:") refuse(path, "must begin with https://");
  const isNamedOwn = host === "localhost";
  if (isPlain && !isNamedOwn && (isIP(host) === 0 || !holds("own", host)))
    refuse(path, "must begin with https://; plain http is only for this machine");
  if (isIP(host) !== 0 && holds("nobody", host)) refuse(path, "names an address that no server has");
  return url;
}

const logsPath = "/v1/logs";

/** The address of a collector; without a path it is where OTLP has its logs. Throws KitError. */
export function readEndpoint(text: string): Destination {
  const url = checkedUrl(text.trim());
  if (url.username !== "" || url.password !== "") refuse("/address", "must not hold a password: give it as a header");
  if (url.search !== "" || url.hash !== "") refuse("/address", "must end with the path: give a key as a header");
  if (url.pathname === "/") url.pathname = logsPath;
  return { url: url.href, host: url.host };
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Those the request itself needs. */
const ours = new Set(["host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection"]);

/** Throws KitError for what cannot be sent as a header. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerName.test(name) || ours.has(name.toLowerCase())) refuse("/headers", "holds a name that cannot be given");
    if (!/^[\x20-\x7e]*$/.test(value)) refuse("/headers", "holds a value with characters that no header can have");
  }
}
