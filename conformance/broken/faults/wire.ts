// Faults in the requests: their number, address, headers, members and timestamps.
import { change, changeBody, type Fault, type Faults } from "./change.ts";

type Headers = Readonly<Record<string, string | number>>;

const changeHeaders =
  (by: (headers: Headers) => Headers): Fault =>
  (kit) =>
    change(kit, "optionsOf", (optionsOf) => (body) => {
      const options = optionsOf(body);
      return { ...options, headers: by(options.headers as Headers) };
    });

const changeTime =
  (by: (now: string) => string): Fault =>
  (kit) =>
    change(kit, "now", (now) => () => by(now()));

export const wireFaults = {
  silent: (kit) => change(kit, "post", () => () => undefined),
  twice: (kit) =>
    change(kit, "post", (post) => (url, body) => {
      post(url, body);
      post(url, body);
    }),
  "wrong-path": (kit) => change(kit, "pathOf", (pathOf) => (service) => `${pathOf(service)}/`),
  "get-method": (kit) => change(kit, "optionsOf", (optionsOf) => (body) => ({ ...optionsOf(body), method: "GET" })),
  "wrong-content-type": changeHeaders((headers) => ({ ...headers, "Content-Type": "text/plain" })),
  charset: changeHeaders((headers) => ({ ...headers, "Content-Type": "application/json; charset=utf-8" })),
  chunked: changeHeaders(({ "Content-Length": _, ...headers }) => ({ ...headers, "Transfer-Encoding": "chunked" })),
  "wrong-host": changeHeaders((headers) => ({ ...headers, Host: "localhost" })),
  cookie: changeHeaders((headers) => ({ ...headers, Cookie: "game=sky" })),
  "extra-member": changeBody((members) => ({ ...members, engine: "reference" })),
  "missing-stack": changeBody(({ stackTrace: _, ...members }) => members),
  "empty-build": changeBody((members) => ("message" in members ? { build: "", ...members } : members)),
  "null-stack": changeBody((members) => (members.stackTrace === "" ? { ...members, stackTrace: null } : members)),
  "other-order": changeBody(({ timestamp, ...members }) => ({ timestamp, ...members })),
  "with-blanks": (kit) => change(kit, "bodyOf", () => (members) => JSON.stringify(members, undefined, 1)),
  "local-time": changeTime((now) => new Date(Date.parse(now) + 7_200_000).toISOString()),
  "without-milliseconds": changeTime((now) => now.replace(/\.\d+/, "")),
  "time-of-sending": (kit) =>
    change(kit, "call", (call) => (service, text, members) => void setTimeout(() => call(service, text, members), 1)),
} satisfies Faults;
