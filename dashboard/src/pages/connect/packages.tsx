// The packages of one engine with size and checksum, or why they are missing.
import { type Binding, listSdk, type SdkIndex, type SdkPackage, sdkPath } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session-context.ts";
import { locale, t, translateMessage } from "../../language/language.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { StepText } from "../../ui/problems/step-text.tsx";

const sizeOf = (bytes: number) =>
  `${(bytes / 1024).toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false })} KiB`;

export function EnginePackages({ binding }: { binding: Binding }) {
  const client = useClient();
  const sdk = useQuery({ queryKey: ["sdk"], queryFn: () => client.call(listSdk) });
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
