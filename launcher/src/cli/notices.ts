// `kit notices`: lists alerts about issues, marks them as seen, and sets desktop notifications.
import {
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  type Notice,
  type NoticeSettingsReport,
  noticeHeadline,
  noticesPageMax,
  seeNotices,
  testNotice,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import { integerArgument } from "./arguments.ts";
import { type Connection, connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";

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
  const text = styled(notice.quiet ? "dim" : tones[notice.kind], noticeHeadline(notice));
  return [
    `${mark} ${when}`,
    notice.issue,
    escapeInvisible(notice.game ?? "unsorted"),
    escapeInvisible(notice.title),
    text,
  ].join("  ");
}

async function list({ client }: Connection, { limit, before, seen, json }: NoticesFlags): Promise<void> {
  const query = { limit, ...(before === undefined ? {} : { before }) };
  const { notices, more, unseen } = await client.call(listNotices, { query });
  // Marks only the printed alerts as seen, not those that arrived since.
  const [newest] = notices;
  if (seen && newest !== undefined) await client.call(seeNotices, { body: { upTo: newest.number } });
  if (json) return printJson(notices);
  for (const notice of notices) print(noticeLine(notice));
  if (notices.length === 0) print(before === undefined ? "No alerts yet." : "No older alerts.");
  if (more) print(`… more: kit notices --before ${notices.at(-1)?.number}`);
  if (unseen > 0 && !seen) print(`${unseen} unseen. Mark them as seen: kit notices --seen`);
}

function printSettings({ desktop, trouble }: NoticeSettingsReport): void {
  print(`Desktop notifications are ${desktop ? "on" : "off"}.`);
  if (trouble !== null) print(escapeInvisible(trouble));
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
    print(escapeInvisible(result.says));
    printSettings(await client.call(getNoticeSettings));
  }
  // Thrown with --json too, so that scripts see the failure in the exit code.
  if (!result.ok) throw new NotificationFailed(result.says);
}

class NotificationFailed extends Error {
  override name = "NotificationFailed";
}

async function act(flags: NoticesFlags): Promise<void> {
  if ([flags.seen, flags.desktop, flags.test].filter((each) => each !== undefined).length > 1)
    throw new InvalidSetting("Use only one of --seen, --desktop and --test.");
  const connection = await connect(configFromFlags(flags));
  if (flags.desktop !== undefined) await setDesktop(connection, flags);
  else if (flags.test) await test(connection, flags);
  else await list(connection, flags);
}

export function noticesCommand(): Command {
  return command("notices", "List alerts about issues: new, regressed, or reaching 10, 100, 1,000 … reports")
    .helpGroup(helpGroups.developers)
    .option("--limit <n>", `how many to list, 1 to ${noticesPageMax}`, integerArgument(1, noticesPageMax), 20)
    .option("--before <number>", "only alerts older than this number", integerArgument(1, 999_999_999))
    .option("--seen", "mark the listed and all older alerts as seen")
    .addOption(new Option("--desktop <state>", "switch desktop notifications on or off").choices(["on", "off"]))
    .option("--test", "show a test notification on the desktop")
    .action(act);
}
