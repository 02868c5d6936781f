// Takes away what logs, terminals, chats and crash reports put around a message and a stack.

const time = String.raw`(?:\d{4}[-/])?\d\d[-/]\d\d \d\d:\d\d:\d\d\.\d{3}:? {1,8}`;
const id = String.raw`\d{1,7}`;
const tag = String.raw`[\w.-]{1,40} {0,8}`;
const prefixes = [
  // Android: `E/tag( 42): `, `42-43/package E/tag: `.
  String.raw`(?:(?:${time})?${id}-${id}/\S{1,200} {1,8}|${time})[VDIWEF]/${tag}(?:\( {0,8}${id}\))?: ?`,
  String.raw`[VDIWEF]/${tag}\( {0,8}${id}\): ?`,
  // Android: `42 43 E tag: `, `42 43 Error tag `.
  `${time}${id} {1,8}${id} {1,8}(?:[VDIWEF] ${tag}: ?|(?:Verbose|Debug|Info|Warn|Error|Fatal) ${tag})`,
  // BepInEx: `[Error  : Unity Log] `.
  String.raw`\[(?:Fatal  |Error  |Warning|Message|Info   ): {0,20}[^\]\n]{1,60}\] `,
  // MelonLoader: `[12:01:33.101] [Mod] [ERROR] `.
  String.raw`\[\d\d:\d\d:\d\d\.\d{3}\] (?:\[[^\]\n]{1,60}\] ){0,2}`,
  // A quotation in a chat.
  "(?:> ?){1,3}",
];
const logPrefix = new RegExp(`^(?:${prefixes.join("|")})`, "gm");
/** What a terminal reads as a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's sequences begin with this character
const colour = /\u001b\[[\d;]{0,20}m/g;

/** Removes what logs write before each line, such as time and process, and the colours of a terminal. */
export const withoutLogPrefixes = (text: string): string => text.replaceAll(colour, "").replaceAll(logPrefix, "");

/** Returns the thread that crashed, of all threads in a crash report of macOS or iOS. Returns any other text unchanged. */
export function crashedThreadOf(text: string): string {
  const crashed = /^Thread \d{1,4} Crashed:.*$/m.exec(text);
  if (crashed === null) return text;
  const start = crashed.index + crashed[0].length;
  const next = text.slice(start).search(/^Thread \d{1,4}\b/m);
  return text.slice(start, next < 0 ? undefined : start + next);
}
