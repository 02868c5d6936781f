// The game of an event, and the form to correct it.
import { changeEventIdRule, type KitEvent, registerGame } from "@kit/contract";
import { Button, TextField } from "@radix-ui/themes";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useClient } from "../../api/session.ts";
import { useGames, useRefetchGames } from "../../api/use-games.ts";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { gameName } from "../../ui/names.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { type GameCorrection, parseCorrection } from "./correction.ts";

type Props = { event: KitEvent; games: readonly string[] };

function useCorrection(event: KitEvent, onDone: () => void) {
  const client = useClient();
  const refetchGames = useRefetchGames();
  return useMutation({
    mutationFn: async ({ by, game }: GameCorrection | { by: "release"; game: null }) => {
      if (by === "prefix") return void (await client.call(registerGame, { body: { game } }));
      await client.call(changeEventIdRule, { body: { kind: event.kind, eventId: event.eventId ?? "", game } });
    },
    onSuccess: onDone,
    onSettled: refetchGames,
  });
}

export function GameOfEvent({ event, games }: Props) {
  const [editing, setEditing] = useState(false);
  const rule = useGames().data?.rules.find((known) => known.kind === event.kind && known.eventId === event.eventId);
  const correct = useCorrection(event, () => setEditing(false));
  if (editing && event.eventId !== null) {
    return (
      <GameForm
        event={event}
        eventId={event.eventId}
        games={games}
        assigned={rule?.assigned ?? false}
        error={correct.error}
        onCorrect={(correction) => correct.mutate(correction)}
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <span className="cluster">
      <bdi>{gameName(event.game, 100)}</bdi>
      {event.eventId !== null && (
        <Button size="1" variant="ghost" onClick={() => setEditing(true)}>
          {t("Change")}
        </Button>
      )}
      {rule?.assigned && (
        <Button size="1" variant="ghost" color="gray" onClick={() => correct.mutate({ by: "release", game: null })}>
          {t("Assign by event name again")}
        </Button>
      )}
    </span>
  );
}

type FormProps = Props & {
  eventId: string;
  assigned: boolean;
  error: Error | null;
  onCorrect: (correction: GameCorrection) => void;
  onCancel: () => void;
};

function GameForm({ event, eventId, games, assigned, error, onCorrect, onCancel }: FormProps) {
  const [typed, setTyped] = useState(event.game ?? "");
  const ids = { list: useId(), hint: useId() };
  const correction = parseCorrection(typed, eventId, assigned);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (correction) onCorrect(correction);
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      <TextField.Root
        size="2"
        autoFocus
        aria-label={t("The game this event belongs to")}
        aria-describedby={ids.hint}
        list={ids.list}
        value={typed}
        maxLength={100}
        onChange={(changed) => setTyped(changed.target.value)}
        onKeyDown={(key) => {
          if (key.key !== "Escape") return;
          key.stopPropagation();
          key.nativeEvent.stopImmediatePropagation();
          onCancel();
        }}
      />
      <datalist id={ids.list}>
        {games.map((game) => (
          <option key={game} value={game} />
        ))}
      </datalist>
      <p id={ids.hint} className="small quiet">
        {correctionHint(correction)}
      </p>
      <ErrorText error={error} />
      <div className="cluster tight">
        <Button type="submit" size="1" disabled={correction === undefined}>
          {t("Save")}
        </Button>
        <Button type="button" size="1" variant="soft" color="gray" onClick={onCancel}>
          {t("Cancel")}
        </Button>
      </div>
    </form>
  );
}

function correctionHint(correction: GameCorrection | undefined): string {
  if (correction === undefined) return t("The beginning of the event ID that identifies the game, e.g. my_game.");
  // The id itself, because that is what a person types.
  const game = visibleLine(correction.game, 100);
  return correction.by === "prefix"
    ? t("All events that begin with {{game}}_ will be assigned to {{game}}, including earlier ones.", { game })
    : t("Events with this ID will be assigned to {{game}}, including earlier ones. Other events stay unchanged.", {
        game,
      });
}
