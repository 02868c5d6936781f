// A DSN: where a Sentry-protocol server takes envelopes, and the key that goes with each.
import { checkedUrl, type Destination, refuse } from "../address.ts";

export type Dsn = Destination & { readonly key: string; readonly project: string };

/** Throws KitError. The library's own reader is not asked: it prints what it cannot read, key and all. */
export async function readDsn(text: string): Promise<Dsn> {
  const url = checkedUrl(text.trim());
  const { getEnvelopeEndpointWithUrlEncodedAuth: endpointOf, makeDsn } = await import("@sentry/core");
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const projectId = parts.pop() ?? "";
  const key = url.username;
  const { protocol, hostname, port } = url;
  const publicKey = key;
  const path = parts.join("/");
  const dsn = makeDsn({
    protocol: protocol === "https:" ? "https" : "http",
    publicKey,
    host: hostname,
    port,
    path,
    projectId,
  });
  if (dsn === undefined || !/^\w{1,200}$/.test(key) || !/^\d{1,20}$/.test(projectId))
    return refuse(
      "/address",
      "must be a DSN, such as https://KEY@example.com/1; the server's project settings show it",
    );
  // The key goes into a header instead: addresses end up in logs.
  const [endpoint = ""] = endpointOf(dsn).split("?");
  return { url: endpoint, host: url.host, key, project: projectId };
}
