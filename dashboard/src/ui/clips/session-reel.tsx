// The button that makes one video of the best moments of a session.
import { type GameSession, makeReel } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { ErrorText } from "../error-text.tsx";
import { formatDay } from "../format.ts";
import { Icon } from "../icon.tsx";
import { gameName } from "../names.ts";

const partsMax = 10;

/** `clips` is how many saved clips the session has. With fewer than two there is nothing to join. */
export function SessionReel({ session, clips }: { session: GameSession; clips: number }) {
  const { game, startedAt, endedAt } = session;
  const client = useClient();
  const queryClient = useQueryClient();
  const make = useMutation({
    mutationFn: () =>
      client.call(makeReel, {
        body: {
          title: t("Best of {{game}}, {{day}}", { game: gameName(game, 80), day: formatDay(startedAt) }),
          best: {
            from: startedAt,
            to: endedAt ?? new Date().toISOString(),
            // A session without a game may have clips of several games.
            ...(game !== null && { game }),
            count: partsMax,
          },
        },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["clips"] }),
  });
  if (clips < 2) return null;
  return (
    <span className="cluster tight">
      <ErrorText error={make.error} />
      {make.data === undefined ? (
        <Button size="1" variant="soft" disabled={make.isPending} onClick={() => make.mutate()}>
          <Icon name="film" size={14} />
          {t("Reel of the best moments")}
        </Button>
      ) : (
        <a className="small" href={clipsAddress(make.data.id)}>
          {t("Open the reel")}
        </a>
      )}
    </span>
  );
}
