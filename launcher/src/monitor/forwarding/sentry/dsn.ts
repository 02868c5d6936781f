// Parses a DSN: the address of a project on a Sentry-protocol server, with its key.
import { rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { parseTargetUrl, type TargetUrl } from "../address.ts";

export type Dsn = TargetUrl & { readonly key: string; readonly project: string };

/**
 * Throws KitError for an invalid DSN. Does not use the library's parser, which would log an invalid DSN together with its
 * key.
 */
export async function parseDsn(text: string): Promise<Dsn> {
  const url = parseTargetUrl(text.trim());
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
    return rejectField("/address", message("target.not_a_dsn"));
  // The key is sent in a header instead, because URLs end up in logs.
  const [endpoint = ""] = endpointOf(dsn).split("?");
  return { url: endpoint, host: url.host, key, project: projectId };
}
