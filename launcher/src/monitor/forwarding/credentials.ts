// Removes the values of credentials from text: what stands behind names such as `password` and `Authorization`, in headers, JSON, URLs,
// code and connection strings. Pure; the time is linear, because each pattern and each search for a quote is bounded.

export const removedMark = "<removed>";

const valueCharsMax = 4_096;
/** A backslash for each level of JSON in JSON. */
const escapes = "\\\\{0,7}";
const quote = "[\"'`]";
/** Names that are credentials inside any word, as in `PGPASSWORD`. */
const strongNames =
  "authorization|cookie|pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access|private|account|shared)[_-]?key|signature|credentials?|jwt";
/** Names that are credentials only as a word of their own, or behind a separator. */
const weakNames = "key|auth|sig|session|sessionid|sid|code";
const named = new RegExp(
  `(?:(${strongNames})\\d{0,2}|(?<![^?&;#,{(\\[\\s"'\`])(?:[\\w.-]{0,32}[_.-])?(?:${weakNames}))` +
    `(?:${escapes}${quote})?\\]?([ \\t]{0,4}(?:=>|[:=]=?|%3[ad]|,(?=[ \\t]{0,4}${escapes}${quote}))[ \\t]{0,4})(?:(${escapes})(${quote}))?`,
  "gi",
);

const schemes = "(?:(?:bearer|basic|token|api-?key|digest|bot)(?:[ \\t]{1,4}|%20|\\+))?";
/** A value without quotes. */
const bareValue = new RegExp(`${schemes}[^\\s&;#"'<>]{1,${valueCharsMax}}`, "iy");
const word = "(?:[^\\s\"'<>\\\\]|\\\\/)";
const parameter = `[\\w-]{1,32}[ \\t]{0,2}=[ \\t]{0,2}(?:${escapes}"[^"\\r\\n]{0,1024}"|${word}{1,1024})`;
/** The value of a header: a scheme with parameters, as of Digest, or one or two words. */
const headerValue = new RegExp(
  `(?:[a-z][\\w-]{0,32}[ \\t]{1,4})?${parameter}(?:[ \\t]{0,4}[,;]?[ \\t]{0,4}${parameter}){0,30}|${word}{1,${valueCharsMax}}(?:[ \\t]{1,4}${word}{1,${valueCharsMax}})?`,
  "iy",
);
const isPassword = /^(?:pass|pwd)/i;
const isHeader = /^(?:authorization|cookie)$/i;
/** What code prints in place of a value, which a developer needs. */
const noValue = /^(?:undefined|null|nil|none|true|false)\b/i;
/** A value that could be an ordinary word has a digit if it is a key. */
const isLikeKey = /^(?=.{0,4096}\d).{8}/;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
};

/** Returns where a quoted value ends: before the next quote that is escaped no deeper than the one that opened it. Undefined if it is cut. */
function quotedEnd(text: string, from: number, openingEscapes: number, openingQuote: string): number | undefined {
  let escapesNow = 0;
  const last = Math.min(text.length, from + valueCharsMax);
  for (let at = from; at < last; at += 1) {
    const character = text[at];
    if (character === "\n" || character === "\r") return undefined;
    if (character === openingQuote && escapesNow <= openingEscapes) return at - escapesNow;
    escapesNow = character === "\\" ? escapesNow + 1 : 0;
  }
  return undefined;
}

/** Returns where a value without a closing quote ends, or `from` if it is not a credential. `isTight`: it can be nothing but a value. */
function bareEnd(text: string, from: number, name: string | undefined, isTight: boolean): number {
  if (isHeader.test(name ?? "")) return from + matchAt(headerValue, text, from).length;
  const value = matchAt(bareValue, text, from);
  if (isTight) return from + value.length;
  if (name === undefined || noValue.test(value)) return from;
  return isPassword.test(name) || isLikeKey.test(value) ? from + value.length : from;
}

/** Replaces the values behind names of credentials. */
export function removeNamedCredentials(text: string): string {
  let clean = "";
  let done = 0;
  named.lastIndex = 0;
  for (let found = named.exec(text); found !== null; found = named.exec(text)) {
    const [whole, name, separator = "", opening = "", openingQuote] = found;
    const from = found.index + whole.length;
    const isQuoted = openingQuote !== undefined;
    const closed = isQuoted ? quotedEnd(text, from, opening.length, openingQuote) : undefined;
    const end = closed ?? bareEnd(text, from, name, isQuoted || /^(?:=|%3d)$/i.test(separator));
    if (end === from) continue;
    clean += text.slice(done, from) + removedMark;
    done = end;
    named.lastIndex = end;
  }
  return clean + text.slice(done);
}

/** A value between the tags of an element, which can be those of HTML in text, or behind a tag where the text was cut. */
const element = new RegExp(
  `((?:<|&lt;)[\\w.:-]{0,64}(?:${strongNames})\\d{0,2}(?:\\s[^<>]{0,256})?(?:>|&gt;))` +
    `(?:\\s{0,64}<!\\[CDATA\\[(?:(?!\\]\\]>)[^]){0,${valueCharsMax}}(?:\\]\\]>|$)|(?:(?!&lt;)[^<]){1,${valueCharsMax}}(?=(?:<|&lt;)\\\\?\\/)|[^\\s<]{1,${valueCharsMax}}$)`,
  "gi",
);
/** The value of an option of a command line. A sentence about the option goes on with one of these words. */
const sentence =
  "(?!(?:is|was|are|has|in|to|and|or|not|for|must|needs?|requires?|required|missing|cannot|option|argument|value)\\b)";
const option = new RegExp(
  `((?<![\\w-])--[\\w-]{0,32}(?:${strongNames})[ \\t]{1,4})(?!-)${sentence}(?:(["'])[^"'\\r\\n]{1,1024}\\2|[^\\s"'<>]{1,${valueCharsMax}})`,
  "gi",
);

/** Replaces credentials in elements of XML and in options of command lines. */
export const removeMarkedCredentials = (text: string): string =>
  text
    .replace(element, (_, tag: string) => tag + removedMark)
    .replace(option, (_, name: string, mark = "") => name + mark + removedMark + mark);

const bareScheme =
  /\b(bearer|basic|token|api-?key|digest|bot)((?:\s{1,4}|%20|\+)["']?|(?<=bearer)[=:]\s{0,4}["']?)(?=[\w.~+/=%:-]{0,4096}\d)[\w.~+/=%:-]{8,4096}/gi;

/** Replaces what follows a scheme of authorization, such as `Bearer`, wherever it stands. */
export const removeSchemeCredentials = (text: string): string =>
  text.replace(bareScheme, (_, scheme: string, space: string) => `${scheme}${space}${removedMark}`);
