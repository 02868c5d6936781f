// Opens connections only where they may go: every address is checked, the very one that is then connected to.
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { buildConnector } from "undici";
import { isOwnHost, refusalOf } from "./address.ts";
import { Refused, Unreached } from "./fault.ts";

/** A name that leads to one wrong address is refused whole: which of them is taken is not ours to say. */
function checkedLookup(lookup: LookupFunction, mayBeOwn: (host: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = found as LookupAddress[];
      const refusal = addresses
        .map(({ address }) => refusalOf(address, mayBeOwn(hostname)))
        .find((each) => each !== undefined);
      if (refusal !== undefined) return callback(new Refused(refusal), []);
      const [first] = addresses;
      if (first === undefined) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

export type ConnectorNeeds = {
  readonly build: typeof buildConnector;
  readonly lookup: LookupFunction;
  /** Whether this machine may be reached, by its own name. */
  readonly isOwnAllowed: boolean;
  /** Authorities of test servers. */
  readonly ca?: string;
  readonly connectWithinMs: number;
};

/** Of a connection that does not come about the error is `Unreached`. */
export function createConnector({
  build,
  lookup,
  isOwnAllowed,
  ca,
  connectWithinMs,
}: ConnectorNeeds): buildConnector.connector {
  const mayBeOwn = (host: string) => isOwnAllowed && isOwnHost(host);
  const connect = build({
    timeout: connectWithinMs,
    allowH2: false,
    lookup: checkedLookup(lookup, mayBeOwn),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const { hostname, protocol } = options;
    if (protocol !== "https:" && !(protocol === "http:" && mayBeOwn(hostname)))
      return callback(new Refused("Plain http is only for this machine. Use https."), null);
    // A literal is not looked up.
    const refusal = isIP(hostname) === 0 ? undefined : refusalOf(hostname, mayBeOwn(hostname));
    if (refusal !== undefined) return callback(new Refused(refusal), null);
    return connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(new Unreached("no connection", { cause: error }), null);
    });
  };
}
