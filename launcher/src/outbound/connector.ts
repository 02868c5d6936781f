// Opens connections to allowed addresses only. Connects to exactly the resolved address that it checked.
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { message } from "@kit/contract/messages";
import type { buildConnector } from "undici";
import { blockedReason, isLocalHost } from "./address.ts";
import { AddressRefused, ServerNotReached } from "./failure.ts";

/** Refuses a name with any forbidden address, because the system chooses among the addresses. */
function checkedLookup(lookup: LookupFunction, mayBeOwn: (host: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = found as LookupAddress[];
      const refusal = addresses
        .map(({ address }) => blockedReason(address, mayBeOwn(hostname)))
        .find((each) => each !== undefined);
      if (refusal !== undefined) return callback(new AddressRefused(refusal), []);
      const [first] = addresses;
      if (first === undefined) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

export type ConnectorDeps = {
  readonly build: typeof buildConnector;
  readonly lookup: LookupFunction;
  /** Whether this computer may be contacted as localhost. */
  readonly isOwnAllowed: boolean;
  /** Certificate authorities of test servers. */
  readonly ca?: string;
  readonly connectWithinMs: number;
};

/** Creates a connector whose error is `ServerNotReached` if no connection is made. */
export function createConnector({
  build,
  lookup,
  isOwnAllowed,
  ca,
  connectWithinMs,
}: ConnectorDeps): buildConnector.connector {
  const mayBeOwn = (host: string) => isOwnAllowed && isLocalHost(host);
  const connect = build({
    timeout: connectWithinMs,
    allowH2: false,
    lookup: checkedLookup(lookup, mayBeOwn),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    if (protocol !== "https:" && !(protocol === "http:" && mayBeOwn(hostname)))
      return callback(new AddressRefused(message("address.needs_https")), null);
    // An IP address is not looked up, so it is checked here.
    const refusal = isIP(hostname) === 0 ? undefined : blockedReason(hostname, mayBeOwn(hostname));
    if (refusal !== undefined) return callback(new AddressRefused(refusal), null);
    return connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new ServerNotReached("no connection", { cause: error }), null);
    });
  };
}
