// What a person does about a problem right where it is said: a switch is turned, a web page may ask again.
import { changeRecorder, changeRule, forgetOrigin, registerGame, switchServices } from "@kit/contract";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../session/session-context.ts";
import type { Remedy } from "./problem.ts";

type Done = Exclude<Remedy, { does: "open" | "consent" }>;

export function useRemedy() {
  const client = useClient();
  const queryClient = useQueryClient();
  const apply = (remedy: Done): Promise<unknown> => {
    switch (remedy.does) {
      case "service":
        return client.call(switchServices, { body: { [remedy.service]: true } });
      case "game":
        return client.call(registerGame, { body: { game: remedy.game, switches: { [remedy.service]: true } } });
      case "event":
        return client.call(changeRule, { body: { kind: remedy.kind, eventId: remedy.eventId, enabled: true } });
      case "record":
        return client.call(changeRecorder, { body: { when: "automatic" } });
      case "ask again":
        return client.call(forgetOrigin, { query: { origin: remedy.origin } });
    }
  };
  return useMutation({
    mutationFn: apply,
    onSettled: () =>
      Promise.all(["games", "recorder", "origins"].map((what) => queryClient.invalidateQueries({ queryKey: [what] }))),
  });
}
