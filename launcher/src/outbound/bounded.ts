// An answer of which no more is read than was meant to be, in bytes and in time. More of it ends the connection; its head counts.

export type Bounds = {
  readonly bytesMax: number;
  readonly withinMs: number;
  /** Ends the connection. */
  giveUp(): void;
};

export function boundedAnswer(answer: Response, { bytesMax, withinMs, giveUp }: Bounds): Response {
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

/** The whole text as far as it came. */
export async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // The head said what it had to say.
  }
  return text + decoder.decode();
}

/** undefined where it is no JSON object, or did not come whole. */
export async function objectOf(answer: Response): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await textOf(answer));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
