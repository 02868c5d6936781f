// Reads what the team's guide gives to a studio, for the tests of it: the text, the compose file, and the dashboard with its queries.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export const guideFile = (path: string) => new URL(`../../../docs/guide/${path}`, import.meta.url);
export const guide = (path: string) => readFileSync(guideFile(path), "utf8");

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
export const compose: Compose = parse(guide("team/compose.yaml"), { strict: true, uniqueKeys: true });

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

export const dashboardPanels = (): readonly Panel[] => JSON.parse(guide("team/dashboard.json")).panels;

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

/** The SQL of the guide's text that reads the table of a collector's exporter. */
export const guideQuery = () => /```sql\n([^`]*FROM otel_logs[^`]*);\n/.exec(guide("team.md"))?.[1] ?? assert.fail();
