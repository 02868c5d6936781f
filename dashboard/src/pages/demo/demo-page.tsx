// The demo: a small game in this tab that uses the real binding, and beside it what Kit makes of each call.
import "./demo.css";
import { demoGame, listWipes, undoWipe, wipeGame } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useClient } from "../../api/session.ts";
import { useRecorder } from "../../api/use-recorder.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress, issuesAddress, postsAddress, recorderAddress, sessionsAddress } from "../../ui/address.ts";
import { effectiveAppearance, useAppearance } from "../../ui/appearance.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page, PageHead, useTitle } from "../../ui/page.tsx";
import { usePageKeys } from "../../ui/shortcuts.tsx";
import { useCountdown } from "../../ui/use-now.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { GameCanvas } from "./game-canvas.tsx";
import { CallCard } from "./outcome.tsx";
import { useFlight } from "./use-flight.ts";

const wipesKey = ["storage", "wipes"];
const demoQuery = `${new URLSearchParams({ game: demoGame })}`;
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function useDemoWipe(onWipe: () => void) {
  const client = useClient();
  const queryClient = useQueryClient();
  const wipes = useQuery({
    queryKey: wipesKey,
    queryFn: () => client.call(listWipes),
    refetchInterval: ({ state }) => (state.data?.wipes.length ? 1_000 : false),
  });
  const onSettled = () => queryClient.invalidateQueries({ queryKey: wipesKey });
  const wipe = useMutation({
    mutationFn: () => client.call(wipeGame, { body: { game: demoGame } }),
    onSuccess: onWipe,
    onSettled,
  });
  const undo = useMutation({ mutationFn: () => client.call(undoWipe, { query: { game: demoGame } }), onSettled });
  return { wipe, undo, planned: wipes.data && (wipes.data.wipes.find(({ game }) => game === demoGame) ?? null) };
}

export function DemoPage() {
  useTitle(t("Demo · Kit"));
  usePageKeys({});
  const { phase, world, made, error, start, end, handle, land } = useFlight();
  const { wipe, undo, planned } = useDemoWipe(end);
  const [isPaused, setPaused] = useState(false);
  const [appearance] = useAppearance();
  const fly = () => {
    setPaused(false);
    void start();
  };
  return (
    <Page className="demo">
      <PageHead
        title={t("Demo")}
        end={
          planned === null && (
            <Button variant="soft" color="gray" disabled={wipe.isPending} onClick={() => wipe.mutate()}>
              <Icon name="bin" size={14} />
              {t("Delete the demo's data")}
            </Button>
          )
        }
      />
      <div className="column wide demo-layout">
        <section className="stack" aria-label={t("Game")}>
          <GameCanvas
            world={world}
            isMoving={phase === "flying" && !isPaused}
            isCalm={isCalm()}
            colours={effectiveAppearance(appearance)}
            onHappening={handle}
            onFrame={land}
          >
            {/* Only a click starts it: another page can open this one, and a flight records the screen. */}
            {(phase === "ready" || phase === "over") && (
              <Button className="demo-over" size="3" disabled={planned !== null} onClick={fly}>
                <Icon name="play" size={16} />
                {phase === "over" ? t("Fly again") : t("Fly")}
              </Button>
            )}
            {phase === "waiting" && <span className="demo-over demo-note">{t("Waiting for Kit's recorder…")}</span>}
            {phase === "flying" && (
              <IconButton
                className="demo-pause"
                variant="surface"
                color="gray"
                aria-label={isPaused ? t("Continue") : t("Pause")}
                onClick={() => setPaused(!isPaused)}
              >
                <Icon name={isPaused ? "play" : "pause"} />
              </IconButton>
            )}
          </GameCanvas>
          <p className="small quiet">{t("Hold the space bar, the up arrow or a finger to rise. Let go to sink.")}</p>
          <ErrorText error={error ?? wipe.error ?? undo.error} />
          {planned && <PlannedWipe dueAt={planned.dueAt} isBusy={undo.isPending} onUndo={() => undo.mutate()} />}
          <RecorderNote />
          <p className="small quiet">
            {t(
              "The game runs in this tab and uses the same file as your game would. What it sends stays on this computer.",
            )}
          </p>
        </section>
        <section className="stack" aria-label={t("What Kit made of it")}>
          <h2>{t("What Kit made of it")}</h2>
          {made.length === 0 && (
            <p className="quiet">{t("Each call of the game appears here, with what Kit made of it.")}</p>
          )}
          <ol className="stack demo-calls" aria-live="polite">
            {made.toReversed().map(({ call, row }) => (
              <CallCard key={`${call.at} ${call.key}`} call={call} row={row} />
            ))}
          </ol>
          {made.length > 0 && <DemoLinks />}
        </section>
      </div>
    </Page>
  );
}

/** Says honestly what the recorder adds to the demo now. */
function RecorderNote() {
  const recorder = useRecorder().data?.state;
  if (recorder === undefined || recorder.state === "idle" || recorder.state === "starting") return null;
  if (recorder.state === "recording")
    return (
      <p className="small quiet cluster tight">
        <Icon name="record" size={14} />
        {t("Kit records the screen while the game runs, as for any game in a browser.")}
      </p>
    );
  return (
    <div className="note">
      <p>
        {t("Kit cannot record now, so a moment becomes a marker. With a recorder, you would see a clip of it here.")}{" "}
        {visibleText(translateMessage(recorder.detail))}
      </p>
      <p>
        <a href={recorderAddress}>{t("Set up the recorder")}</a>
      </p>
    </div>
  );
}

const DemoLinks = () => (
  <ul className="cluster small">
    <li>
      <a href={clipsAddress(undefined, demoQuery)}>{t("Its clips")}</a>
    </li>
    <li>
      <a href={issuesAddress(undefined, demoQuery)}>{t("Its issues")}</a>
    </li>
    <li>
      <a href={postsAddress(demoQuery)}>{t("Its posts")}</a>
    </li>
    <li>
      <a href={sessionsAddress(undefined, demoQuery)}>{t("Everything on one timeline")}</a>
    </li>
  </ul>
);

type PlannedProps = { dueAt: string; isBusy: boolean; onUndo: () => void };

/** The countdown is only visible; screen readers announce the wipe once. */
function PlannedWipe({ dueAt, isBusy, onUndo }: PlannedProps) {
  const seconds = useCountdown(dueAt);
  return (
    <div className="note cluster">
      <span className="unseen" role="status">
        {t("The demo's data is about to be deleted.")}
      </span>
      <span aria-hidden="true">
        {seconds > 0 ? t("All demo data will be deleted in {{seconds}} s", { seconds }) : t("Deleting all demo data")}
      </span>
      <Button variant="soft" disabled={isBusy || seconds === 0} onClick={onUndo}>
        <Icon name="undo" size={14} />
        {t("Cancel the deletion")}
      </Button>
    </div>
  );
}
