// The web origins someone decided on, each with the way back.
import type { Origin } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { visibleText } from "../live/visible-text.ts";
import { useDecisions, useOrigins } from "./use-origins.ts";

function saysOf({ state, expiresAt }: Origin): string {
  if (state === "blocked") return "Blocked";
  if (state === "until-exit") return "Allowed until Kit exits";
  return expiresAt === null ? "Allowed" : `Allowed until ${new Date(expiresAt).toLocaleDateString()}`;
}

export function DecidedOrigins() {
  const decided = useOrigins().data?.origins.filter((origin) => origin.state !== "pending") ?? [];
  const { forget } = useDecisions();
  if (decided.length === 0) return null;
  return (
    <details className="decided">
      <summary>Web pages you decided on ({decided.length})</summary>
      <ul>
        {decided.map((origin) => (
          <li key={origin.origin}>
            <bdi className="origin">{visibleText(origin.origin)}</bdi>
            <span>{saysOf(origin)}</span>
            <Button
              size="1"
              variant="soft"
              color="gray"
              aria-label={`Ask again for ${visibleText(origin.origin)}`}
              disabled={forget.isPending}
              onClick={() => forget.mutate(origin.origin)}
            >
              Ask again
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
