// `kit notices`: what was worth saying of issues, newest first; seen, and shown on the desktop, on demand.
import {
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  type Notice,
  type NoticeSettingsReport,
  noticeSays,
  noticesPageMax,
  seeNotices,
  testNotice,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { BadSetting } from "../config.ts";
import { readWhole } from "./arguments.ts";
import { type Connection, connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { visible } from "./visible.ts";

type NoticesFlags = CommonFlags & {
  limit: number;
  before?: number;
  seen?: true;
  desktop?: "on" | "off";
  test?: true;
};

const tones = { new: "yellow", regressed: "red", woke: "yellow", times: "cyan" } as const;

function noticeLine(notice: Notice): string {
  const when = new Date(notice.at).toLocaleString("sv-SE");
  const mark = notice.seen || notice.quiet ? " " : "•";
  const says = styled(notice.quiet ? "dim" : tones[notice.kind], noticeSays(notice));
  return [`${mark} ${when}`, notice.issue, visible(notice.game ?? "unsorted"), visible(notice.title), says].join("  ");
}

async function list({ client }: Connection, { limit, before, seen, json }: NoticesFlags): Promise<void> {
  const query = { limit, ...(before === undefined ? {} : { before }) };
  const { notices, more, unseen } = await client.call(listNotices, { query });
  // Only what is printed: what came after it nobody has seen yet.
  const [newest] = notices;
  if (seen && newest !== undefined) await client.call(seeNotices, { body: { upTo: newest.number } });
  if (json) return printJson(notices);
  for (const notice of notices) print(noticeLine(notice));
  if (notices.length === 0) print(before === undefined ? "No notices yet." : "No older notices.");
  if (more) print(`… more: kit notices --before ${notices.at(-1)?.number}`);
  if (unseen > 0 && !seen) print(`${unseen} not seen yet. Mark them: kit notices --seen`);
}

function printSettings({ desktop, trouble }: NoticeSettingsReport): void {
  print(`Desktop notifications are ${desktop ? "on" : "off"}.`);
  if (trouble !== null) print(visible(trouble));
}

async function setDesktop({ client }: Connection, { desktop, json }: NoticesFlags): Promise<void> {
  const report = await client.call(changeNoticeSettings, { body: { desktop: desktop === "on" } });
  if (json) printJson(report);
  else printSettings(report);
}

async function test({ client }: Connection, { json }: NoticesFlags): Promise<void> {
  const result = await client.call(testNotice);
  if (json) printJson(result);
  else if (result.ok) {
    print(visible(result.says));
    printSettings(await client.call(getNoticeSettings));
  }
  // With --json too: a script sees it by the exit code.
  if (!result.ok) throw new NotShown(result.says);
}

class NotShown extends Error {
  override name = "NotShown";
}

async function act(flags: NoticesFlags): Promise<void> {
  if ([flags.seen, flags.desktop, flags.test].filter((each) => each !== undefined).length > 1)
    throw new BadSetting("--seen, --desktop and --test: one at a time.");
  const connection = await connect(configOf(flags));
  if (flags.desktop !== undefined) await setDesktop(connection, flags);
  else if (flags.test) await test(connection, flags);
  else await list(connection, flags);
}

export function noticesCommand(): Command {
  return command("notices", "List what was worth saying of issues: new ones, what came back, ten times as many")
    .option("--limit <n>", `how many, 1 to ${noticesPageMax}`, readWhole(1, noticesPageMax), 20)
    .option("--before <number>", "only older ones than this", readWhole(1, 999_999_999))
    .option("--seen", "mark what is listed, and all that is older, as seen")
    .addOption(new Option("--desktop <state>", "show them on the desktop too, or no longer").choices(["on", "off"]))
    .option("--test", "show one on the desktop now")
    .action(act);
}
