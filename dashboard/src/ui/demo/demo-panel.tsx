// The demo on the page: play it, see what it does, find what came of it, wipe it.
import "./demo.css";
import {
  type Demo,
  type DemoOutcome,
  type DemoPart,
  type DemoPhase,
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
import { useClient } from "../../api/session-context.ts";
import { t, translateMessage } from "../../language/language.ts";
import {
  clipsAddress,
  issuesAddress,
  postOfEventAddress,
  postsAddress,
  rowAddress,
  sessionsAddress,
} from "../address.ts";
import { Icon } from "../icon.tsx";
import { StateBadge } from "../labels.tsx";
import { useCountdown } from "../use-countdown.ts";
import { visibleText } from "../visible-text.ts";

/** The demo's words for what the wire says in codes. */
function partWord(part: DemoPart): string {
  const words: Record<DemoPart, string> = {
    started: t("The start"),
    streak: t("Five stars in a row"),
    jewel: t("The jewel"),
    error: t("A chest without a lid: an error"),
    again: t("The same error again"),
    boss: t("The boss is defeated"),
    score: t("A new high score, worth telling"),
  };
  return words[part] ?? part;
}

/** What happens now. What the launcher says of the recorder is its own sentence, in English. */
function phaseWord({ phase, says }: Pick<Demo, "phase" | "says">): string {
  const words: Partial<Record<DemoPhase, string>> = {
    started: t("The game starts: its first event tells Kit that there is something to record."),
    streak: t("The hero catches five stars in a row. The game asks for a clip."),
    jewel: t("The hero finds the jewel, seconds later: one clip is to show both."),
    error: t("The game trips over a chest without a lid, and reports the error."),
    again: t("Another chest, the same error: it is to be counted, not listed anew."),
    boss: t("The boss is defeated. The game asks for a clip, with a high priority."),
    score: t("A new high score. The game asks for a post, which waits for you."),
    telling: t("The story is over. The last clip is being made."),
  };
  return (phase && words[phase]) ?? says;
}

const demoKey = ["demo"];
const wipesKey = ["keeping", "wipes"];

/** Asked for now and then as well: a demo played in a terminal tells only of its events. */
const everyMs = 5_000;

/** The demo as the launcher tells it, and what a person does with it: play, stop, wipe, take that back. */
function useDemo() {
  const client = useClient();
  return useQuery({ queryKey: demoKey, queryFn: () => client.call(getDemo), refetchInterval: everyMs });
}

/** Set while all of the demo is about to be wiped. */
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

type Way = { readonly address: string; readonly label: string };

function waysTo({ event, clip, issue, post }: DemoOutcome): Way[] {
  return [
    ...(clip === null ? [] : [{ address: clipsAddress(clip), label: t("Its clip") }]),
    ...(issue === null ? [] : [{ address: issuesAddress(issue), label: t("Its issue") }]),
    ...(post === null ? [] : [{ address: postOfEventAddress(event), label: t("Its draft") }]),
    { address: rowAddress(event), label: t("Its receipt") },
  ];
}

/** What became of each event of the demo, as its receipt says, with the way to it. */
function Outcomes({ outcomes }: { outcomes: readonly DemoOutcome[] }) {
  if (outcomes.length === 0) return null;
  return (
    <ul className="demo-outcomes">
      {outcomes.map((outcome) => (
        <li key={outcome.event}>
          <span>{partWord(outcome.part)}</span>
          <StateBadge state={outcome.state} />
          <span className="demo-ways">
            {waysTo(outcome).map(({ address, label }) => (
              <a key={label} href={address} aria-label={`${label}: ${partWord(outcome.part)}`}>
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
  // The button that was pressed goes away: whoever pressed it goes on from the heading.
  const after = { onSuccess: () => heading.current?.focus() };
  return (
    <section className="demo" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {t("See it work first")} <DemoBadge />
      </h2>
      {demo === undefined && <p className="demo-says">{error ? null : t("Asking…")}</p>}
      {demo !== undefined && wipe === undefined && (
        <Shown
          demo={demo}
          isBusy={actions.play.isPending || actions.stop.isPending || actions.wipe.isPending}
          onPlay={() => actions.play.mutate(undefined, after)}
          onStop={() => actions.stop.mutate(undefined, after)}
          onWipe={() => actions.wipe.mutate(undefined, after)}
        />
      )}
      {wipe !== undefined && (
        <Wiping
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

type ShownProps = { demo: Demo; isBusy: boolean; onPlay: () => void; onStop: () => void; onWipe: () => void };

function Shown({ demo, isBusy, onPlay, onStop, onWipe }: ShownProps) {
  if (demo.state === "playing") return <Playing demo={demo} isBusy={isBusy} onStop={onStop} />;
  const isPlayed = demo.state === "played";
  return (
    <>
      {isPlayed ? <Played demo={demo} /> : <Offer demo={demo} />}
      <p className="demo-end">
        <Button variant={isPlayed ? "soft" : "solid"} disabled={isBusy} onClick={onPlay}>
          <Icon name="play" size={14} />
          {isPlayed ? t("Play it again") : t("Play the demo")}
        </Button>
        {isPlayed && (
          <Button variant="soft" color="gray" disabled={isBusy} onClick={onWipe}>
            <Icon name="bin" size={14} />
            {t("Wipe the demo")}
          </Button>
        )}
      </p>
    </>
  );
}

function Offer({ demo: { seconds, window } }: { demo: Demo }) {
  return (
    <>
      <p>
        {t(
          "A made-up game plays for {{seconds}} seconds and sends what yours would: moments, an error, something to tell.",
          {
            seconds,
          },
        )}{" "}
        {window
          ? t("It opens a window, and Kit records the screen as it would with any game.")
          : t("It plays without a window here, as there is no X display for one.")}
      </p>
      <p className="demo-quiet">{t("Nothing of it leaves this machine, and all of it can be wiped with one click.")}</p>
    </>
  );
}

function Playing({ demo, isBusy, onStop }: { demo: Demo; isBusy: boolean; onStop: () => void }) {
  const { second, seconds, phase } = demo;
  return (
    <>
      <p className="demo-says" role="status">
        {visibleText(phaseWord(demo))}
      </p>
      <progress
        max={seconds}
        value={phase === "telling" ? seconds : second}
        aria-label={t("How far the demo is")}
        aria-valuetext={t("{{second}} of {{seconds}} s", { second, seconds })}
      />
      <p className="demo-end">
        <Button variant="soft" color="gray" disabled={isBusy} onClick={onStop}>
          {t("Stop it")}
        </Button>
      </p>
    </>
  );
}

const ofDemo = `${new URLSearchParams({ game: demoGame })}`;

function Played({ demo: { outcomes, session, says, failed } }: { demo: Demo }) {
  return (
    <>
      <p className="demo-says" role="status">
        {failed ? visibleText(translateMessage(says)) : t("The demo was played. This became of it:")}
      </p>
      <Outcomes outcomes={outcomes} />
      <ul className="demo-links">
        <li>
          <a href={session === null ? sessionsAddress(undefined, ofDemo) : sessionsAddress(session)}>
            {t("All of it on one track")}
          </a>
        </li>
        <li>
          <a href={clipsAddress(undefined, ofDemo)}>{t("Its clips")}</a>
        </li>
        <li>
          <a href={issuesAddress(undefined, ofDemo)}>{t("Its issues")}</a>
        </li>
        <li>
          <a href={postsAddress(ofDemo)}>{t("Its posts")}</a>
        </li>
      </ul>
    </>
  );
}

type WipingProps = { dueAt: string; isBusy: boolean; onUndo: () => void };

/** The seconds are for who sees; who listens is told once. */
function Wiping({ dueAt, isBusy, onUndo }: WipingProps) {
  const seconds = useCountdown(dueAt);
  return (
    <>
      <p className="unseen" role="status">
        {t("The demo is about to be wiped.")}
      </p>
      <p className="demo-says" aria-hidden="true">
        {seconds > 0
          ? t("All of the demo is wiped in {{seconds}} s", { seconds })
          : t("All of the demo is being wiped")}
      </p>
      <p className="demo-end">
        <Button variant="soft" disabled={isBusy || seconds === 0} onClick={onUndo}>
          <Icon name="undo" size={14} />
          {t("Leave it after all")}
        </Button>
      </p>
    </>
  );
}
