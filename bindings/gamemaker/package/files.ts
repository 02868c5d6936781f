// What is in the local package (.yymps) of the binding: a small project around the script, as the IDE imports it.

export type PackageNeeds = {
  /** A file of `project/`, by its path from there. */
  readonly read: (path: string) => Uint8Array;
  /** MD5 of some bytes, in hexadecimal. */
  readonly md5: (bytes: Uint8Array) => string;
};

const script = "scripts/kit_sdk/kit_sdk";
const name = "Kit";
// The oldest IDE whose format the files have.
const ideVersion = "2024.13.1.193";

/** GameMaker writes JSON with a comma after the last member too; it reads both. */
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const record = (type: string, version: string, ownName: string, members: object) => ({
  [`$${type}`]: version,
  "%Name": ownName,
  ...members,
  name: ownName,
  resourceType: type,
  resourceVersion: "2.0",
});

function projectText(version: string): string {
  return json(
    record("GMProject", "v1", name, {
      AudioGroups: [record("GMAudioGroup", "v1", "audiogroup_default", { exportDir: "", targets: -1 })],
      configs: { children: [], name: "Default" },
      defaultScriptType: 1,
      Folders: [],
      IncludedFiles: [],
      isEcma: false,
      LibraryEmitters: [],
      MetaData: {
        IDEVersion: ideVersion,
        PackageType: "Asset",
        PackageName: name,
        PackageID: "kit_sdk",
        PackagePublisher: "Kit",
        PackageVersion: version,
      },
      resources: [{ id: { name: "kit_sdk", path: `${script}.yy` } }],
      RoomOrderNodes: [],
      templateType: null,
      TextureGroups: [
        record("GMTextureGroup", "", "Default", {
          autocrop: true,
          border: 2,
          compressFormat: "bz2",
          customOptions: "",
          directory: "",
          groupParent: null,
          isScaled: true,
          loadType: "default",
          mipsToGenerate: 0,
          targets: -1,
        }),
      ],
    }),
  );
}

function scriptText(): string {
  const parent = { name, path: `${name}.yyp` };
  return json(record("GMScript", "v1", "kit_sdk", { isCompatibility: false, isDnD: false, parent }));
}

const metadataText = (version: string) =>
  json({
    package_id: "kit_sdk",
    display_name: name,
    version,
    package_type: "asset",
    ide_version: ideVersion,
  });

const manifestText = (files: ReadonlyMap<string, Uint8Array>, { md5 }: PackageNeeds) => {
  const lines = [...files].map(([path, bytes]) => `\t<file md5="${md5(bytes).toUpperCase()}">${path}</file>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<files>\n${lines.join("")}</files>\n`;
};

/** Paths inside the zip, with what is in them. The same version gives the same bytes. */
export function packageFiles(version: string, needs: PackageNeeds): Map<string, Uint8Array> {
  const text = (content: string) => new TextEncoder().encode(content);
  const files = new Map([
    [`${name}.yyp`, text(projectText(version))],
    [`${name}.resource_order`, text(json({ FolderOrderSettings: [], ResourceOrderSettings: [] }))],
    ["metadata.json", text(metadataText(version))],
    [`${script}.yy`, text(scriptText())],
    [`${script}.gml`, needs.read(`${script}.gml`)],
  ]);
  return files.set("yymanifest.xml", text(manifestText(files, needs)));
}
