// `kit notices`: lists alerts about issues, marks them as seen, and sets desktop notifications.

import {
  type Client,
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  markNoticesSeen,
  type Notice,
  type NoticeSettingsReport,
  noticeHeadline,
  noticesPageMax,
  testNotice,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, choiceFlag, command, integerParser, pageFlags, parsedFlag, toggleFlag } from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import { escapeInvisible, formatLocalTime, kit, print, printJson, say, withStyle } from "../output.ts";

const tones = { new: "yellow", regressed: "red", woke: "yellow", times: "cyan" } as const;

function noticeLine(notice: Notice, { gameName }: PrintedNames): string {
  const mark = notice.seen || notice.quiet ? " " : "•";
  return [
    `${mark} ${formatLocalTime(notice.at)}`,
    notice.issue,
    gameName(notice.game),
    escapeInvisible(notice.title),
    withStyle(notice.quiet ? "dim" : tones[notice.kind], say(noticeHeadline(notice))),
  ].join("  ");
}

function printSettings({ desktop, trouble }: NoticeSettingsReport): void {
  print(`Desktop notifications are ${desktop ? "on" : "off"}.`);
  if (trouble !== null) print(escapeInvisible(say(trouble)));
}

class NotificationFailed extends Error {
  override name = "NotificationFailed";
}

async function sendTest(client: Client, json: boolean): Promise<undefined> {
  const result = await client.call(testNotice);
  if (json) printJson(result);
  // The error is thrown also with --json, so that the exit code tells scripts about the failure.
  if (!result.ok) throw new NotificationFailed(say(result.says));
  if (json) return;
  print(escapeInvisible(say(result.says)));
  printSettings(await client.call(getNoticeSettings));
}

const { limit } = pageFlags("alert", noticesPageMax);

export const noticesCommand = command(
  "notices",
  "List alerts about issues: new, regressed, or reaching 10, 100, 1,000 … reports",
  {
    group: "developers",
    flags: {
      limit,
      before: parsedFlag("--before <number>", "only alerts older than this number", integerParser(1, 999_999_999)),
      seen: toggleFlag("--seen", "mark the listed and all older alerts as seen"),
      desktop: choiceFlag("--desktop <state>", "switch desktop notifications on or off", ["on", "off"]),
      test: toggleFlag("--test", "show a test notification on the desktop"),
    },
    async run({ client, flags: { seen, desktop, test, ...query }, json }) {
      if ([seen, desktop, test].filter((each) => each !== undefined).length > 1)
        throw new InvalidSetting("Use only one of --seen, --desktop and --test.");
      if (desktop !== undefined)
        return answer(await client.call(changeNoticeSettings, { body: { desktop: desktop === "on" } }), printSettings);
      if (test) return sendTest(client, json);
      const { notices, more, unseen } = await client.call(listNotices, { query });
      // Marks alerts as seen only up to the newest printed one, because others may have arrived since.
      const [newest] = notices;
      if (seen && newest !== undefined) await client.call(markNoticesSeen, { body: { upTo: newest.number } });
      return answer(notices, async () => {
        const names = await fetchNames(client);
        for (const notice of notices) print(noticeLine(notice, names));
        if (notices.length === 0) print(query.before === undefined ? "No alerts yet." : "No older alerts.");
        if (more) print(`… more: ${kit(`notices --before ${notices.at(-1)?.number}`)}`);
        if (unseen > 0 && !seen) print(`${unseen} unseen. Mark them as seen: ${kit("notices --seen")}`);
      });
    },
  },
);
