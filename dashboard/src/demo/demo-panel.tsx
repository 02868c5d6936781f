// The demo on the page: play it, see what it does, find what came of it, wipe it.
import { type Demo, demoGame } from "@kit/contract";
import { Badge, Button } from "@radix-ui/themes";
import { useId, useRef } from "react";
import { clipsAddress, issuesAddress, postsAddress, sessionsAddress } from "../frame/address.ts";
import { Icon } from "../frame/icon.tsx";
import { t, told } from "../language/language.ts";
import { visibleText } from "../live/visible-text.ts";
import { useCountdown } from "../posts/use-countdown.ts";
import { Outcomes } from "./outcomes.tsx";
import { useDemo, useDemoActions, useDemoWipe } from "./use-demo.ts";
import { phaseWord } from "./words.ts";
import "./demo.css";

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
        {failed ? visibleText(told(says)) : t("The demo was played. This became of it:")}
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
