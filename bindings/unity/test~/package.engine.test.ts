// Tests of the package for Unity's package manager: nothing is missing or superfluous, and every asset has its guid.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, test } from "vitest";
import { assemblyDefinitions, packageRoot } from "./assemblies.ts";

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const manifest = JSON.parse(read("package.json"));

/** Folders of the repository that are not in the package. */
const isOurs = (path: string) => path.startsWith("test~") || path.startsWith("conformance~");

/** Every file and folder of the package, from its root. */
function pathsOfThePackage(): string[] {
  return globSync("**/*", { cwd: packageRoot })
    .filter((path) => !isOurs(path))
    .sort();
}

/** Files and folders that the engine imports, or will import when a sample is copied into a project. */
function assets(): string[] {
  const isImported = (path: string) => !path.endsWith(".meta") && !/^(Documentation~|Samples~$)/.test(path);
  return pathsOfThePackage().filter(isImported);
}

const guidOf = (asset: string) => /^guid: ([0-9a-f]{32})$/m.exec(read(`${asset}.meta`))?.[1];

function packed(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "kit-unity-pack-"));
  try {
    execFileSync("npm", ["pack", "--pack-destination", folder, "--silent"], { cwd: packageRoot, stdio: "pipe" });
    const [tarball = ""] = globSync("*.tgz", { cwd: folder });
    return execFileSync("tar", ["-tzf", join(folder, tarball)], { encoding: "utf8" })
      .trim()
      .split("\n")
      .sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("assets", () => {
  test("every asset has a .meta file, without which an installed package would silently lack it", () => {
    const lacking = assets().filter((path) => !existsSync(join(packageRoot, `${path}.meta`)));
    assert.deepEqual(lacking, []);
  });

  test("every .meta file belongs to an asset", () => {
    const metas = pathsOfThePackage().filter((path) => path.endsWith(".meta"));
    assert.deepEqual(
      metas.filter((path) => !existsSync(join(packageRoot, path.replace(/\.meta$/, "")))),
      [],
    );
  });

  test("every guid has 32 hex digits, and no two are the same", () => {
    const guids = assets().map((path) => ({ path, guid: guidOf(path) }));
    assert.deepEqual(
      guids.filter(({ guid }) => guid === undefined),
      [],
    );
    assert.equal(new Set(guids.map(({ guid }) => guid)).size, guids.length);
  });

  test("folders and files have the right type in their .meta files", () => {
    const wrong = assets().filter((path) => {
      const isFolder = statSync(join(packageRoot, path)).isDirectory();
      return read(`${path}.meta`).includes("folderAsset: yes") !== isFolder;
    });
    assert.deepEqual(wrong, []);
  });

  test("the settings script keeps its guid, which every project's settings asset contains", () => {
    assert.equal(guidOf("Runtime/Unity/KitSettings.cs"), "981bdd9e2e1fab6e35871d2f1fc803f5");
  });
});

describe("assemblies", () => {
  const definitions = assemblyDefinitions();
  const testFramework = ["UnityEngine.TestRunner", "UnityEditor.TestRunner"];

  test("an asmdef file has the name of its assembly", () => {
    for (const { path, name } of definitions) assert.equal(basename(path), `${name}.asmdef`);
    assert.deepEqual(definitions.map(({ name }) => name).sort(), [
      "Kit.Core",
      "Kit.Unity",
      "Kit.Unity.Editor",
      "Kit.Unity.Editor.Tests",
      "Kit.Unity.Tests",
    ]);
  });

  test("every reference names an existing assembly", () => {
    const known = [...definitions.map(({ name }) => name), ...testFramework];
    for (const { name, references } of definitions) {
      assert.deepEqual(
        references.filter((reference) => !known.includes(reference)),
        [],
        name,
      );
    }
  });

  test("games without asmdef files see the assemblies for games, and tests and editor code are in no build", () => {
    for (const { name, autoReferenced, includePlatforms, defineConstraints } of definitions) {
      assert.equal(autoReferenced, name === "Kit.Core" || name === "Kit.Unity", name);
      assert.equal(includePlatforms.includes("Editor"), name.includes(".Editor"), name);
      assert.equal(defineConstraints.includes("UNITY_INCLUDE_TESTS"), name.endsWith(".Tests"), name);
    }
  });

  test("every C# file is in the assembly of its folder", () => {
    const folders = definitions.map(({ path }) => dirname(path));
    const strays = assets()
      .filter((path) => path.endsWith(".cs") && !path.startsWith("Samples~/"))
      .filter((path) => !folders.some((folder) => join(packageRoot, path).startsWith(`${folder}/`)));
    assert.deepEqual(strays, []);
  });
});

describe("manifest", () => {
  test("the manifest has the fields that the package manager needs, in the right form", () => {
    assert.match(manifest.name, /^[a-z0-9]+(\.[a-z0-9]+){2,}$/);
    assert.ok(manifest.name.length <= 50);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    assert.match(manifest.unity, /^\d{4}\.\d$/);
    assert.ok(manifest.displayName && manifest.description);
    for (const version of Object.values(manifest.dependencies)) assert.match(version as string, /^\d+\.\d+\.\d+$/);
  });

  test("the manifest has no other fields that the package manager would interpret", () => {
    const known = ["name", "version", "displayName", "description", "unity", "license", "keywords", "author"];
    const pages = ["documentationUrl", "changelogUrl", "licensesUrl", "repository"];
    assert.deepEqual(
      Object.keys(manifest).filter(
        (field) => ![...known, ...pages, "dependencies", "samples", "files"].includes(field),
      ),
      [],
    );
  });

  test("every sample's path is a folder, and every folder is a sample", () => {
    const paths = manifest.samples.map(({ path }: { path: string }) => path);
    assert.deepEqual(
      paths.sort(),
      globSync("Samples~/*/", { cwd: packageRoot })
        .map((path) => path.replace(/\/$/, ""))
        .sort(),
    );
    for (const { displayName, description } of manifest.samples) assert.ok(displayName && description);
  });

  test("the package has the version and the licence of Kit", () => {
    assert.equal(manifest.version, JSON.parse(read("../../package.json")).version);
    assert.equal(read("LICENSE.md"), read("../../LICENSE"));
  });
});

test("the tarball contains the whole package and nothing else", () => {
  const files = pathsOfThePackage().filter((path) => statSync(join(packageRoot, path)).isFile());
  assert.deepEqual(packed(), files.map((path) => `package/${path}`).sort());
});
