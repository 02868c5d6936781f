// The Connect page: choose an engine, download its package, add one line, and see the first event arrive.
import type { Binding } from "@kit/contract";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { ConsentCards } from "../../ui/consent/consent-cards.tsx";
import { DemoPanel } from "../../ui/demo/demo-panel.tsx";
import { type Engine, engines } from "../../ui/engines.ts";
import { ProblemList } from "../../ui/problems/problem-list.tsx";
import { StepText } from "../../ui/problems/step-text.tsx";
import { FirstEvent } from "./first-event.tsx";
import { EnginePackages } from "./packages.tsx";
import { useArrivals } from "./use-arrivals.ts";
import "./connect.css";
import { Page, useTitle } from "../../ui/page.tsx";

export function ConnectPage({ binding }: { binding: Binding | undefined }) {
  const engine = engines.find((each) => each.binding === binding);
  useTitle(engine ? t("Connect {{engine}} · Kit", { engine: engine.name }) : t("Connect a game · Kit"));
  const { rows, ...arriving } = useArrivals();
  return (
    <Page>
      <ConsentCards />
      <div className="column slim">
        <h1>{t("Connect a game")}</h1>
        <nav className="engine-cards" aria-label={t("Engine")}>
          {engines.map((each) => (
            <EngineCard key={each.binding} engine={each} chosen={each === engine} />
          ))}
        </nav>
        {engine ? <Steps engine={engine} /> : <p>{t("Choose your game's engine.")}</p>}
        <FirstEvent {...arriving} />
        <ProblemList rows={rows} connection={arriving.connection} />
        <DemoPanel />
      </div>
    </Page>
  );
}

function EngineCard({ engine, chosen }: { engine: Engine; chosen: boolean }) {
  return (
    <a className="choice stack flush" href={connectAddress(engine.binding)} aria-current={chosen ? "true" : undefined}>
      <strong>{engine.name}</strong>
      <span className="small quiet">{t(engine.language)}</span>
    </a>
  );
}

function Steps({ engine }: { engine: Engine }) {
  return (
    <ol className="steps" aria-label={t("Steps")}>
      <li>
        <p>{t("Download:")}</p>
        <EnginePackages binding={engine.binding} />
      </li>
      {engine.steps.map((step) => (
        <li key={step}>
          <StepText text={t(step)} />
        </li>
      ))}
      <li>
        <StepText text={t(engine.lineStep)} />
        <CommandLine command={engine.line} prompt="" />
      </li>
    </ol>
  );
}
