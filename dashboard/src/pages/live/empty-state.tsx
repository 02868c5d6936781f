// The Live page before the first event: the line of code for each engine, and a terminal command.
import { Tabs } from "@radix-ui/themes";
import type { Row } from "../../api/event-row.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { DemoPanel } from "../../ui/demo/demo-panel.tsx";
import { Empty } from "../../ui/empty.tsx";
import { engines, exampleCommand } from "../../ui/problems/engines.ts";
import { ProblemList } from "../../ui/problems/problem-list.tsx";

type Props = { rows: readonly Row[]; connection: Connection };

export function EmptyState({ rows, connection }: Props) {
  return (
    <Empty title={t("Waiting for your first event")} isNew>
      <p>{t("Add one line to your game. The event appears here as soon as that line runs.")}</p>
      <ProblemList rows={rows} connection={connection} />
      <Tabs.Root className="engines" defaultValue={engines[0]?.name ?? ""}>
        <Tabs.List aria-label={t("Engine")}>
          {engines.map(({ name }) => (
            <Tabs.Trigger key={name} value={name}>
              {name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {engines.map(({ binding, name, line }) => (
          <Tabs.Content key={name} value={name}>
            <CommandLine command={line} prompt="" />
            <p>
              <a href={connectAddress(binding)}>
                {t("First add Kit to the game: steps for {{engine}}", { engine: name })}
              </a>
            </p>
          </Tabs.Content>
        ))}
      </Tabs.Root>
      <p>{t("No game yet? Send an event from a terminal:")}</p>
      <CommandLine command={exampleCommand} />
      <DemoPanel />
    </Empty>
  );
}
