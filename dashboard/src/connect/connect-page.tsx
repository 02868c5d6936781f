// The Connect page: choose the engine, take its package, write one line, and see the first event arrive.
import type { Binding } from "@kit/contract";
import { useEffect } from "react";
import { ConsentCards } from "../consent/consent-cards.tsx";
import { connectAddress } from "../frame/address.ts";
import { CommandLine } from "../frame/command-line.tsx";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { type Engine, engines } from "./engines.ts";
import { FirstEvent } from "./first-event.tsx";
import { Packages } from "./packages.tsx";
import { StepText } from "./step-text.tsx";
import "./connect.css";

export function ConnectPage({ binding }: { binding: Binding | undefined }) {
  const engine = engines.find((each) => each.binding === binding);
  useEffect(() => {
    document.title = `Connect ${engine?.name ?? "a game"} · Kit`;
  }, [engine]);
  return (
    <main className="connect">
      <StorageBanner />
      <ConsentCards />
      <div className="connect-page">
        <h1>Connect a game</h1>
        <nav className="engine-cards" aria-label="Engine">
          {engines.map((each) => (
            <EngineCard key={each.binding} engine={each} chosen={each === engine} />
          ))}
        </nav>
        {engine ? <Steps engine={engine} /> : <p>Choose the engine your game is made with.</p>}
        <FirstEvent />
      </div>
    </main>
  );
}

function EngineCard({ engine, chosen }: { engine: Engine; chosen: boolean }) {
  return (
    <a className="engine-card" href={connectAddress(engine.binding)} aria-current={chosen ? "true" : undefined}>
      <strong>{engine.name}</strong>
      <span>{engine.language}</span>
    </a>
  );
}

function Steps({ engine }: { engine: Engine }) {
  return (
    <ol className="steps" aria-label="Steps">
      <li>
        <p>Download:</p>
        <Packages binding={engine.binding} />
      </li>
      {engine.steps.map((step) => (
        <li key={step}>
          <StepText text={step} />
        </li>
      ))}
      <li>
        <StepText text={engine.lineStep} />
        <CommandLine command={engine.line} prompt="" />
      </li>
    </ol>
  );
}
