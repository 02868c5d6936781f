// The Live page before the first event: the line of code for each engine, and a terminal command.
import { Heading, Tabs, Text } from "@radix-ui/themes";
import type { Row } from "../../api/event-row.ts";
import type { Connection } from "../../api/follow-feed.ts";
import { t } from "../../language/language.ts";
import { connectAddress } from "../../ui/address.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { DemoPanel } from "../../ui/demo/demo-panel.tsx";
import mark from "../../ui/mark.svg";
import { engines, exampleCommand } from "../../ui/problems/engines.ts";
import { ProblemList } from "../../ui/problems/problem-list.tsx";

type Props = { rows: readonly Row[]; connection: Connection };

export function EmptyState({ rows, connection }: Props) {
  return (
    <section className="empty" aria-labelledby="empty-title">
      <img className="empty-mark" src={mark} width="56" height="56" alt="" />
      <Heading as="h2" size="5" weight="medium" id="empty-title">
        {t("Waiting for your first event")}
      </Heading>
      <Text as="p" color="gray">
        {t("Add one line to your game. The event appears here as soon as that line runs.")}
      </Text>
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
            <p className="engine-more">
              <a href={connectAddress(binding)}>
                {t("First add Kit to the game: steps for {{engine}}", { engine: name })}
              </a>
            </p>
          </Tabs.Content>
        ))}
      </Tabs.Root>
      <Text as="p" color="gray">
        {t("No game yet? Send an event from a terminal:")}
      </Text>
      <CommandLine command={exampleCommand} />
      <DemoPanel />
    </section>
  );
}
