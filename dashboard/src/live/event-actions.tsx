// What a person can say about an event id: ignore it from now on, or take it again.
import { changeRule, type KitEvent } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { t } from "../language/language.ts";
import { useClient } from "../session/session-context.ts";
import { Section } from "./section.tsx";
import { useGames } from "./use-games.ts";

export function EventActions({ event: { kind, eventId } }: { event: KitEvent }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const rule = useGames().data?.rules.find((known) => known.kind === kind && known.eventId === eventId);
  const change = useMutation({
    mutationFn: (enabled: boolean) => client.call(changeRule, { body: { kind, eventId: eventId ?? "", enabled } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["games"] }),
  });
  if (eventId === null || rule === undefined) return null;
  return (
    <Section title={t("From now on")}>
      <div className="event-actions">
        <p>
          {rule.enabled
            ? t("Kit takes this event whenever the game sends it.")
            : t("Kit ignores this event. It is still listed, so that you can see it was sent.")}
        </p>
        <Button
          variant="soft"
          color={rule.enabled ? "gray" : "iris"}
          disabled={change.isPending}
          onClick={() => change.mutate(!rule.enabled)}
        >
          {rule.enabled ? t("Ignore this event") : t("Take it again")}
        </Button>
      </div>
      {change.error && (
        <p className="details-warning" role="alert">
          {change.error.message}
        </p>
      )}
    </Section>
  );
}
