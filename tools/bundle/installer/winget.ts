// The three manifests that winget reads, for a setup at an address.
import { productCode, publisher } from "./setup.ts";

const identifier = "KitAuthors.Kit";
/** The version of winget's format. */
const manifestVersion = "1.10.0";

export type ReleasedSetup = {
  readonly version: string;
  /** Where everybody can download the setup. */
  readonly url: string;
  readonly sha256: string;
};

function manifest(type: string, version: string, lines: readonly string[]): string {
  const schema = `https://aka.ms/winget-manifest.${type}.${manifestVersion}.schema.json`;
  return [
    `# yaml-language-server: $schema=${schema}`,
    `PackageIdentifier: ${identifier}`,
    `PackageVersion: ${version}`,
    ...lines,
    `ManifestType: ${type}`,
    `ManifestVersion: ${manifestVersion}`,
    "",
  ].join("\n");
}

/** Texts by file name. Throws if the address or the version is not what winget accepts. */
export function wingetManifests({ version, url, sha256 }: ReleasedSetup): ReadonlyMap<string, string> {
  if (!/^https:\/\/[^\s"'#]+\.exe$/u.test(url)) throw new Error(`${url} is not the https address of a setup.`);
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/u.test(version)) throw new Error(`${version} is not a version.`);
  const installer = [
    "InstallerType: nullsoft",
    "Scope: user",
    "InstallModes:",
    "- interactive",
    "- silent",
    "MinimumOSVersion: 10.0.0.0",
    "UpgradeBehavior: install",
    `ProductCode: ${productCode}`,
    "ExpectedReturnCodes:",
    "- InstallerReturnCode: 3",
    "  ReturnResponse: systemNotSupported",
    "- InstallerReturnCode: 4",
    "  ReturnResponse: installInProgress",
    "- InstallerReturnCode: 5",
    "  ReturnResponse: packageInUse",
    "Installers:",
    "- Architecture: x64",
    `  InstallerUrl: ${url}`,
    `  InstallerSha256: ${sha256.toUpperCase()}`,
  ];
  const locale = [
    "PackageLocale: en-US",
    `Publisher: ${publisher}`,
    "PackageName: Kit",
    "License: MIT",
    "ShortDescription: Turns a game's moments into video clips, its errors into issues, and things worth sharing into posts.",
    "Moniker: kit",
    "Tags:",
    "- clips",
    "- games",
    "- recording",
  ];
  return new Map([
    [`${identifier}.yaml`, manifest("version", version, ["DefaultLocale: en-US"])],
    [`${identifier}.installer.yaml`, manifest("installer", version, installer)],
    [`${identifier}.locale.en-US.yaml`, manifest("defaultLocale", version, locale)],
  ]);
}
