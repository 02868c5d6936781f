// Limits how much of a response is read, in bytes and in time.

export type ResponseLimits = {
  readonly bytesMax: number;
  readonly withinMs: number;
  /** Closes the connection. */
  giveUp(): void;
};

/** Returns the response with a body that ends after `bytesMax`. Calls `giveUp` if the body is not complete after `withinMs`. */
export function limitResponse(answer: Response, { bytesMax, withinMs, giveUp }: ResponseLimits): Response {
  const { body, status, statusText, headers } = answer;
  if (body === null) return answer;
  const timer = setTimeout(giveUp, withinMs).unref();
  let left = bytesMax;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      clearTimeout(timer);
      controller.terminate();
    },
    flush: () => clearTimeout(timer),
    cancel: () => clearTimeout(timer),
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
}

/** Reads the text, or the part that arrived if the connection fails. */
export async function readResponseText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // Status and headers have arrived, so the response is usable.
  }
  return text + decoder.decode();
}

/** Returns undefined if the body is not a complete JSON object. */
export async function readJsonObject(answer: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readResponseText(answer));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
