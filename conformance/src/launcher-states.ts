// The stand-in launcher's responses in each state.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { answer, answers, corsOf, type Treatments } from "./answer.ts";
import type { LauncherState } from "./case.ts";
import { strangerTreatments } from "./stranger-states.ts";

/** Sends an endless body as fast as the client reads it. */
function flood(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(202, { ...corsOf(request), "content-type": "application/json" });
  const block = Buffer.alloc(64 * 1024, " ");
  const pour = () => {
    while (!response.destroyed && response.write(block)) {
      // Writes until the buffer is full; the drain event continues.
    }
  };
  response.on("drain", pour);
  pour();
}

const treatments: Treatments = {
  ...strangerTreatments,
  answers,
  "answers-default": answers,
  fails: answer(500, '{"title":"The launcher failed","status":500}', { "content-type": "application/problem+json" }),
  rejects: answer(503, '{"title":"Not now","status":503}', {
    "content-type": "application/problem+json",
    "retry-after": "1",
  }),
  redirects: (request, response, elsewhere) => {
    response.writeHead(307, { ...corsOf(request), location: `${elsewhere}${request.url}` }).end();
  },
  hangs: () => undefined,
  drops: ({ socket }) => socket.destroy(),
  slow: (request, response, elsewhere) => void setTimeout(() => answers(request, response, elsewhere), 2_000).unref(),
  floods: flood,
  babbles: ({ socket }) => babble(socket),
};

function babble(socket: Duplex): void {
  socket.end("\u0000\u0001this is no HTTP\r\n\r\n");
}

/** Handles a request according to the state. CORS preflights are always answered. */
export function treat(
  state: LauncherState,
  request: IncomingMessage,
  response: ServerResponse,
  elsewhere: string,
): void {
  if (request.method === "OPTIONS") response.writeHead(204, corsOf(request)).end();
  else treatments[state]?.(request, response, elsewhere);
}
