// What every state's answer is made of: status, headers, body, and the headers that let a web page read it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LauncherState } from "./case.ts";

type Treatment = (request: IncomingMessage, response: ServerResponse, elsewhere: string) => void;
export type Treatments = Partial<Record<LauncherState, Treatment>>;

const acknowledgement = '{"id":"018f0000-0000-7000-8000-000000000000","status":"accepted"}';

/** What lets a web page read an answer, and send a POST at all; engines that are no browser do not look at it. */
export function corsOf(request: IncomingMessage): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
  };
}

export function answer(status: number, text: string, more: Record<string, string> = {}): Treatment {
  return (request, response) => {
    response.writeHead(status, { ...corsOf(request), "content-type": "application/json", ...more }).end(text);
  };
}

export const answers = answer(202, acknowledgement);

/** A launcher's answer with one thing more in its head; `more` may depend on the request. */
export function answersWith(more: (request: IncomingMessage, elsewhere: string) => Record<string, string>): Treatment {
  return (request, response, elsewhere) => {
    answer(202, acknowledgement, more(request, elsewhere))(request, response, elsewhere);
  };
}
