// The demo: play it, watch its progress, open its results, and delete its data.
import "./demo-panel.css";
import {
  type Demo,
  type DemoOutcome,
  type DemoPhase,
  type DemoStep,
  demoGame,
  getDemo,
  listWipes,
  startDemo,
  stopDemo,
  undoWipe,
  wipeGame,
} from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { useClient } from "../api/session.ts";
import { t, translateMessage } from "../language/language.ts";
import { clipsAddress, eventPostAddress, issuesAddress, postsAddress, rowAddress, sessionsAddress } from "./address.ts";
import { Icon } from "./icon.tsx";
import { StateBadge } from "./labels.tsx";
import { useCountdown } from "./use-now.ts";
import { visibleText } from "./visible-text.ts";

/** Returns the label of a step of the demo. */
function stepLabel(part: DemoStep): string {
  const words: Record<DemoStep, string> = {
    started: t("The start"),
    streak: t("Five stars in a row"),
    jewel: t("The jewel"),
    error: t("A chest without a lid causes an error"),
    again: t("The same error again"),
    boss: t("The boss is defeated"),
    score: t("A new high score worth posting"),
  };
  return words[part] ?? part;
}

/** Says what the demo is doing. For a phase that only a newer launcher knows, returns the launcher's sentence. */
function phaseText({ phase, says }: Pick<Demo, "phase" | "says">): string {
  const words: Partial<Record<DemoPhase, string>> = {
    started: t("The game starts. Its first event tells Kit to start recording."),
    streak: t("The hero catches five stars in a row. The game asks for a clip."),
    jewel: t("Seconds later, the hero finds the jewel. One clip shows both moments."),
    error: t("A chest without a lid causes an error, and the game reports it."),
    again: t("Another chest, the same error: Kit counts it instead of listing it again."),
    boss: t("The boss is defeated. The game asks for a clip, with a high priority."),
    score: t("A new high score. The game asks for a post, which waits for your approval."),
    telling: t("The demo is over. Kit is creating the last clip."),
  };
  return (phase && words[phase]) ?? translateMessage(says);
}

const demoKey = ["demo"];
const wipesKey = ["storage", "wipes"];

/** Polling interval. Needed because the feed does not report the progress of a demo that was started in a terminal. */
const everyMs = 5_000;

/** Fetches the demo's state. */
function useDemo() {
  const client = useClient();
  return useQuery({ queryKey: demoKey, queryFn: () => client.call(getDemo), refetchInterval: everyMs });
}

/** Fetches the pending wipe of the demo's data, if there is one. */
function useDemoWipe() {
  const client = useClient();
  const wipes = useQuery({
    queryKey: wipesKey,
    queryFn: () => client.call(listWipes),
    refetchInterval: ({ state }) => (state.data?.wipes.length ? 1_000 : false),
  });
  return wipes.data?.wipes.find(({ game }) => game === demoGame);
}

function useDemoActions() {
  const client = useClient();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all([demoKey, wipesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return {
    play: useMutation({ mutationFn: () => client.call(startDemo), onSettled }),
    stop: useMutation({ mutationFn: () => client.call(stopDemo), onSettled }),
    wipe: useMutation({ mutationFn: () => client.call(wipeGame, { body: { game: demoGame } }), onSettled }),
    undo: useMutation({ mutationFn: () => client.call(undoWipe, { query: { game: demoGame } }), onSettled }),
  };
}

type ResultLink = { readonly address: string; readonly label: string };

function resultLinks({ event, clip, issue, post }: DemoOutcome): ResultLink[] {
  return [
    ...(clip === null ? [] : [{ address: clipsAddress(clip), label: t("Its clip") }]),
    ...(issue === null ? [] : [{ address: issuesAddress(issue), label: t("Its issue") }]),
    ...(post === null ? [] : [{ address: eventPostAddress(event), label: t("Its draft") }]),
    { address: rowAddress(event), label: t("Its receipt") },
  ];
}

/** The events that the demo sent, with their states and links to what Kit made of them. */
function Outcomes({ outcomes }: { outcomes: readonly DemoOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <ul className="stack tight demo-outcomes">
      {outcomes.map((outcome) => (
        <li key={outcome.event}>
          <span>{stepLabel(outcome.part)}</span>
          <StateBadge state={outcome.state} />
          <span className="cluster">
            {resultLinks(outcome).map(({ address, label }) => (
              <a key={label} href={address} aria-label={`${label}: ${stepLabel(outcome.part)}`}>
                {label}
              </a>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function DemoPanel() {
  const { data: demo, error } = useDemo();
  const wipe = useDemoWipe();
  const actions = useDemoActions();
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const failed =
    [actions.play, actions.stop, actions.wipe, actions.undo].find((action) => action.error)?.error ?? error;
  // The pressed button disappears, so the focus moves to the heading.
  const after = { onSuccess: () => heading.current?.focus() };
  return (
    <section className="card" data-tone="offer" aria-labelledby={id}>
      <h2 id={id} className="cluster" ref={heading} tabIndex={-1}>
        {t("Try the demo")} <DemoBadge />
      </h2>
      {demo === undefined && <p className="demo-says">{error ? null : t("Loading…")}</p>}
      {demo !== undefined && wipe === undefined && (
        <DemoContent
          demo={demo}
          isBusy={actions.play.isPending || actions.stop.isPending || actions.wipe.isPending}
          onPlay={() => actions.play.mutate(undefined, after)}
          onStop={() => actions.stop.mutate(undefined, after)}
          onWipe={() => actions.wipe.mutate(undefined, after)}
        />
      )}
      {wipe !== undefined && (
        <PendingWipe
          dueAt={wipe.dueAt}
          isBusy={actions.undo.isPending}
          onUndo={() => actions.undo.mutate(undefined, after)}
        />
      )}
      {failed && <p role="alert">{failed.message}</p>}
    </section>
  );
}

export const DemoBadge = () => (
  <Badge color="iris" variant="soft">
    {t("Demo")}
  </Badge>
);

type DemoContentProps = { demo: Demo; isBusy: boolean; onPlay: () => void; onStop: () => void; onWipe: () => void };

function DemoContent({ demo, isBusy, onPlay, onStop, onWipe }: DemoContentProps) {
  if (demo.state === "playing") return <DemoPlaying demo={demo} isBusy={isBusy} onStop={onStop} />;
  const isPlayed = demo.state === "played";
  return (
    <>
      {isPlayed ? <DemoResults demo={demo} /> : <DemoOffer demo={demo} />}
      <p className="cluster">
        <Button variant={isPlayed ? "soft" : "solid"} disabled={isBusy} onClick={onPlay}>
          <Icon name="play" size={14} />
          {isPlayed ? t("Play again") : t("Play the demo")}
        </Button>
        {isPlayed && (
          <Button variant="soft" color="gray" disabled={isBusy} onClick={onWipe}>
            <Icon name="bin" size={14} />
            {t("Delete the demo's data")}
          </Button>
        )}
      </p>
    </>
  );
}

function DemoOffer({ demo: { seconds, window } }: { demo: Demo }) {
  return (
    <>
      <p>
        {t("A demo game runs for {{seconds}} seconds and sends what your game would: moments, an error and a post.", {
          seconds,
        })}{" "}
        {window
          ? t("The demo opens a window, and Kit records the screen as it does for any game.")
          : t("The demo runs without a window, because no X display is available.")}
      </p>
      <p className="quiet">
        {t("The demo's data stays on this computer, and you can delete all of it with one click.")}
      </p>
    </>
  );
}

function DemoPlaying({ demo, isBusy, onStop }: { demo: Demo; isBusy: boolean; onStop: () => void }) {
  const { second, seconds, phase } = demo;
  const why = useId();
  return (
    <>
      <p className="demo-says" role="status">
        {visibleText(phaseText(demo))}
      </p>
      <progress
        max={seconds}
        value={phase === "telling" ? seconds : second}
        aria-label={t("Demo progress")}
        aria-valuetext={t("{{second}} of {{seconds}} s", { second, seconds })}
      />
      <p className="cluster">
        <Button disabled aria-describedby={why}>
          <Icon name="play" size={14} />
          {t("Play the demo")}
        </Button>
        <span id={why} className="small quiet">
          {t("The demo is running.")}
        </span>
        <Button variant="soft" color="gray" disabled={isBusy} onClick={onStop}>
          {t("Stop the demo")}
        </Button>
      </p>
    </>
  );
}

const demoQuery = `${new URLSearchParams({ game: demoGame })}`;

function DemoResults({ demo: { outcomes, session, says, failed } }: { demo: Demo }) {
  return (
    <>
      <p className="demo-says" role="status">
        {failed ? visibleText(translateMessage(says)) : t("The demo is over. These are the results:")}
      </p>
      <Outcomes outcomes={outcomes} />
      <ul className="cluster">
        <li>
          <a href={session === null ? sessionsAddress(undefined, demoQuery) : sessionsAddress(session)}>
            {t("Everything on one timeline")}
          </a>
        </li>
        <li>
          <a href={clipsAddress(undefined, demoQuery)}>{t("Its clips")}</a>
        </li>
        <li>
          <a href={issuesAddress(undefined, demoQuery)}>{t("Its issues")}</a>
        </li>
        <li>
          <a href={postsAddress(demoQuery)}>{t("Its posts")}</a>
        </li>
      </ul>
    </>
  );
}

type WipingProps = { dueAt: string; isBusy: boolean; onUndo: () => void };

/** The countdown is only visible; screen readers announce the wipe once. */
function PendingWipe({ dueAt, isBusy, onUndo }: WipingProps) {
  const seconds = useCountdown(dueAt);
  return (
    <>
      <p className="unseen" role="status">
        {t("The demo's data is about to be deleted.")}
      </p>
      <p className="demo-says" aria-hidden="true">
        {seconds > 0 ? t("All demo data will be deleted in {{seconds}} s", { seconds }) : t("Deleting all demo data")}
      </p>
      <p className="cluster">
        <Button variant="soft" disabled={isBusy || seconds === 0} onClick={onUndo}>
          <Icon name="undo" size={14} />
          {t("Cancel the deletion")}
        </Button>
      </p>
    </>
  );
}
