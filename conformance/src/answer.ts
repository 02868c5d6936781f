// Builds the responses of the stand-in launcher, including CORS headers.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LauncherState } from "./case.ts";

type Treatment = (request: IncomingMessage, response: ServerResponse, elsewhere: string) => void;
export type Treatments = Partial<Record<LauncherState, Treatment>>;

const acknowledgement = '{"id":"018f0000-0000-7000-8000-000000000000","status":"accepted"}';

/** CORS headers, which browser-based engines need. */
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

/** A normal response with additional headers, which may depend on the request. */
export function answersWith(more: (request: IncomingMessage, elsewhere: string) => Record<string, string>): Treatment {
  return (request, response, elsewhere) => {
    answer(202, acknowledgement, more(request, elsewhere))(request, response, elsewhere);
  };
}
