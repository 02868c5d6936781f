// Reads what the guide for studios gives them, for the tests of it: the text, the compose file, the dashboard and the queries.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

const docs = new URL("../../../docs/", import.meta.url);
export const guide = readFileSync(new URL("studio.md", docs), "utf8");
export const guideFile = (name: string) => new URL(`studio/${name}`, docs);
export const readGuideFile = (name: string) => readFileSync(guideFile(name), "utf8");

type Mount = { readonly source: string; readonly target: string };
type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly configs?: readonly Mount[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
};
type Compose = {
  readonly services: Readonly<Record<"collector" | "clickhouse" | "grafana", Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly configs: Readonly<Record<string, { readonly file?: string; readonly content?: string }>>;
};
export const compose: Compose = parse(readGuideFile("compose.yaml"), { strict: true, uniqueKeys: true });

/** Returns a configuration in the compose file. Compose makes one `$` of two. */
export const contentOf = <T>(name: string): T =>
  parse((compose.configs[name]?.content ?? assert.fail(name)).replaceAll("$$", "$"), {
    strict: true,
    uniqueKeys: true,
  });

type DataSource = { readonly type: string; readonly uid: string };
type Panel = {
  readonly title: string;
  readonly type: string;
  readonly datasource: DataSource;
  readonly targets: readonly { readonly rawSql: string; readonly datasource: DataSource }[];
};

export const dashboardPanels = (): readonly Panel[] => JSON.parse(readGuideFile("dashboard.json")).panels;

/** Every query of the dashboard, by the type and the title of its panel. */
export function dashboardQueries(): ReadonlyMap<string, string> {
  const queries = new Map<string, string>();
  for (const { type, title, targets } of dashboardPanels()) {
    const [only, ...others] = targets;
    const name = `${type} ${title}`;
    assert.ok(only !== undefined && others.length === 0 && !queries.has(name), `${name}: one query with this name`);
    queries.set(name, only.rawSql);
  }
  return queries;
}
