// Removes keys of a known form, and values behind names that only keys have. The patterns repeat nothing without a limit and
// nest no repetitions, so the time is linear.

const removedMark = "<removed>";

/** Matches where a key may start: not inside a word, but also right after an escape sequence of JSON or a URL. */
const tokenStart = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
const keyPatterns = [
  // AWS: access key ids.
  "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])",
  // Google: API keys, tokens, client secrets.
  "AIza[\\w-]{30,64}",
  "ya29\\.[\\w-]{20,512}",
  "GOCSPX-[\\w-]{20,64}",
  // GitHub, GitLab, npm.
  "gh[oprsu]_[A-Za-z0-9]{30,255}",
  "github_pat_\\w{30,255}",
  "gl[a-z]{2,6}-[\\w-]{20,255}",
  "npm_[A-Za-z0-9]{36}",
  // Slack, Stripe.
  "x(?:ox[a-z]|app)-[\\w-]{10,255}",
  "(?:[prs]k_(?:live|test)|whsec)_\\w{16,255}",
  // OpenAI, Anthropic and compatible services. Text without a digit is not a key but a name.
  "sk-(?=[\\w-]{0,64}\\d)[\\w-]{20,255}",
  // Discord: bot tokens.
  "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,64}",
  // JSON Web Tokens, signed or not.
  "eyJ[\\w-]{8,4096}\\.[\\w-]{8,4096}(?:\\.[\\w-]{0,4096}){1,3}",
];
const knownKey = new RegExp(`${tokenStart}(?:${keyPatterns.join("|")})`, "g");

/** A webhook's URL is a secret: whoever has it can post. */
const webhook =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[\w/-]{8,255}/gi;

/** Matches a value behind a name that only keys have. A value without a digit is an ordinary word. */
const namedKey =
  /((?:account|access|api|auth|bot|client|private|refresh|secret|shared|storage)[_-]?(?:access[_-]?)?(?:key|token|secret|signature)["']?(?:\s{0,4}[=:]\s{0,4}|%3d)["']?)(?=[\w.~+/=%-]{0,255}\d)[\w.~+/=%-]{12,4096}/gi;

/** Matches a private key with its end marker, or without it if the text was cut before. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!----)){0,16384})(-----END [A-Z0-9 ]{0,48}-----)?/g;
/** Matches the lines that follow the start of a private key without an end marker. */
const privateKeyLines = /^(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{32,128})*/;

export const removeKeys = (text: string): string =>
  text
    .replace(
      privateKey,
      (_, body: string, end?: string) => removedMark + (end === undefined ? body.replace(privateKeyLines, "") : ""),
    )
    .replace(webhook, (_, address: string) => address + removedMark)
    .replace(namedKey, (_, name: string) => name + removedMark)
    .replace(knownKey, removedMark);
