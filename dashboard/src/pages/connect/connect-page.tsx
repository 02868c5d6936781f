// The Connect page: choose an engine, download its package, add one line, and see the first event arrive.
import "./connect.css";
import {
  type Binding,
  defaultPort,
  type Engine,
  engines,
  listSdk,
  type SdkIndex,
  type SdkPackage,
  sdkPath,
} from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";
import { locale, t, translateMessage } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine, CopyButton } from "../../ui/copy-button.tsx";
import { DemoPanel } from "../../ui/demo-panel.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page, useTitle } from "../../ui/page.tsx";
import { ProblemList, portOf, StepText } from "../../ui/problems/problem-list.tsx";
import { useArrivals } from "./arrivals.ts";
import { FirstEvent } from "./first-event.tsx";

const sizeOf = (bytes: number) =>
  `${(bytes / 1024).toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false })} KiB`;

function useSdk() {
  const client = useClient();
  return useQuery({ queryKey: ["sdk"], queryFn: () => client.call(listSdk) });
}

function EnginePackages({ binding }: { binding: Binding }) {
  const sdk = useSdk();
  if (sdk.error) return <p role="alert">{sdk.error.message}</p>;
  if (sdk.data === undefined) return <p>{t("Loading the list of packages…")}</p>;
  return <PackageList sdk={sdk.data} binding={binding} />;
}

function PackageList({ sdk, binding }: { sdk: SdkIndex; binding: Binding }) {
  const packages = sdk.packages.filter((each) => each.binding === binding);
  const missing = sdk.missing.filter((each) => each.binding === binding);
  return (
    <ul className="stack">
      {packages.map((each, index) => (
        <PackageFile key={each.file} sdkPackage={each} first={index === 0} />
      ))}
      {missing.map(({ name, reason }) => (
        <li key={name} className="note">
          <StepText text={t("**{{name}}: not available.** {{reason}}", { name, reason: translateMessage(reason) })} />
        </li>
      ))}
      {packages.length + missing.length === 0 && <NotBundled />}
    </ul>
  );
}

function NotBundled() {
  return (
    <li className="note">
      <p>{t("The packages have not been built yet. Run this in Kit's folder, then reload the page:")}</p>
      <CommandLine command="npm run bundle" />
    </li>
  );
}

type FileProps = { sdkPackage: SdkPackage; first: boolean };

/** `first`: this is the package that the steps use; all others are alternatives. */
function PackageFile({ sdkPackage: { name, version, file, bytes, sha256 }, first }: FileProps) {
  return (
    <li className="stack tight quiet package">
      <Button asChild variant={first ? "solid" : "soft"} color={first ? "iris" : "gray"}>
        <a href={`${sdkPath}${file}`} download={file}>
          <Icon name="download" size={14} />
          {file}
        </a>
      </Button>
      <p>{t("{{name}}, version {{version}}, {{size}}", { name, version, size: sizeOf(bytes) })}</p>
      <p className="cluster tight small package-checksum">
        <span>{t("SHA-256")}</span>
        <code>{sha256}</code>
        <CopyButton text={sha256} label={t("Copy the checksum of {{file}}", { file })} />
      </p>
    </li>
  );
}

export function ConnectPage({ binding }: { binding: Binding | undefined }) {
  const engine = engines.find((each) => each.binding === binding);
  useTitle(engine ? t("Connect {{engine}} · Kit", { engine: engine.name }) : t("Connect a game · Kit"));
  const { rows, ...arriving } = useArrivals();
  // Loaded before an engine is chosen, so that the page does not move later, while a person clicks on it.
  useSdk();
  return (
    <Page>
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
        <AnotherPort engine={engine} port={portOf(location)} />
      </li>
    </ol>
  );
}

/** How to set another port in the game. Open if this launcher has one, because the game must then set it. */
function AnotherPort({ engine, port }: { engine: Engine; port: number }) {
  const isUsual = port === defaultPort;
  const other = isUsual ? defaultPort + 1 : port;
  return (
    <details className="note" open={!isUsual}>
      <summary>{t("Another port")}</summary>
      <div className="stack tight">
        {isUsual ? (
          <>
            <p>{t("If another program has port {{port}}, start Kit with another one:", { port })}</p>
            <CommandLine command={`kit start --port ${other}`} />
          </>
        ) : (
          <p>
            {t("The line sends to port {{usual}}, but this Kit listens on port {{port}}.", {
              usual: defaultPort,
              port,
            })}
          </p>
        )}
        <StepText text={t(engine.portStep, { address: `http://127.0.0.1:${other}` })} />
      </div>
    </details>
  );
}
