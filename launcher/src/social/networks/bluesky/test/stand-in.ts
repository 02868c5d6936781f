// The part of Bluesky's server that a text post needs, for faults on the wire. The protocol's own lexicons validate its input and
// output. Everything else is tested against the real server (pds-behind-tls.ts).
import { type ComAtprotoRepoPutRecord, lexicons } from "@atproto/api";
import type { Answer, StandIn, WireRequest } from "../../test/wire.ts";

export type BlueskyStandIn = StandIn & { readonly handle: string; readonly password: string };

const did = "did:plc:krv5owm7mdexltyeylgqfjkj";
const cid = "bafkreid6bofletv25thj5hv727fldcelk5r7hz6a7g42v7g7d5wqkwaeeu";

export function createBlueskyStandIn(): BlueskyStandIn {
  const records = new Map<string, unknown>();
  let made = 0;
  let tokens = 0;
  const methodOf = ({ url }: WireRequest) => url.pathname.replace("/xrpc/", "");
  const say = (method: string, output: unknown): Answer => {
    lexicons.assertValidXrpcOutput(method, output);
    return { status: 200, body: JSON.stringify(output) };
  };
  const no = (status: number, error: string): Answer => ({ status, body: JSON.stringify({ error, message: error }) });
  const token = () => {
    tokens += 1;
    return `token ${tokens}`;
  };

  function put(method: string, input: ComAtprotoRepoPutRecord.InputSchema): Answer {
    lexicons.assertValidRecord(input.collection, input.record);
    const uri = `at://${did}/${input.collection}/${input.rkey}`;
    if (records.has(uri) && input.swapRecord === null) return no(400, "InvalidSwap");
    records.set(uri, input.record);
    made += 1;
    return say(method, { uri, cid, validationStatus: "valid" });
  }

  const standIn: BlueskyStandIn = {
    handle: "mika.bsky.social",
    password: "t0-ken-aaaa-bbbb",
    isMaking: (asked) => methodOf(asked) === "com.atproto.repo.putRecord",
    get made() {
      return made;
    },
    async answer(asked) {
      const method = methodOf(asked);
      if (method === "com.atproto.server.refreshSession" || method === "com.atproto.server.createSession")
        return say(method, { accessJwt: token(), refreshJwt: token(), handle: standIn.handle, did, active: true });
      if (method === "com.atproto.server.getSession") return say(method, { handle: standIn.handle, did });
      if (method === "com.atproto.repo.getRecord") {
        const { repo = "", collection = "", rkey = "" } = Object.fromEntries(asked.url.searchParams);
        const uri = `at://${repo}/${collection}/${rkey}`;
        return records.has(uri) ? say(method, { uri, cid, value: records.get(uri) }) : no(400, "RecordNotFound");
      }
      const input = JSON.parse(asked.body.toString());
      lexicons.assertValidXrpcInput(method, input);
      return put(method, input);
    },
  };
  return standIn;
}
