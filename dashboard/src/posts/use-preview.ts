// What a text would be on each network, asked a moment after the last letter.
import { type BodyOf, previewPost } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useClient } from "../session/session-context.ts";

/** Each letter would ask the launcher otherwise. */
const askAfterMs = 250;

export type Previewed = BodyOf<typeof previewPost>;

/** The value as it was when it last stood still. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), askAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function usePreview(body: Previewed) {
  const client = useClient();
  const asked = useSettled(JSON.stringify(body));
  return useQuery({
    queryKey: ["post-preview", asked],
    queryFn: () => client.call(previewPost, { body: JSON.parse(asked) as Previewed }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}
