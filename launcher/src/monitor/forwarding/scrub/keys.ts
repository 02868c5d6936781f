// Keys that are known by their form, and values behind names that only keys have. Every repetition is bounded, and none
// holds another of the same characters: the time grows with the text's length and no faster.

const gone = "<removed>";

/** Not within a word; what is escaped, as in JSON or an address, ends one. */
const begin = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))";
/** By whoever gives them out. */
const forms = [
  // AWS: ids of keys.
  "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])",
  // Google: keys, tokens, secrets of clients.
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
  // OpenAI, Anthropic and those that do as they do. Without a digit it is a name.
  "sk-(?=[\\w-]{0,64}\\d)[\\w-]{20,255}",
  // Discord: bots.
  "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,64}",
  // JSON Web Tokens, signed or not.
  "eyJ[\\w-]{8,4096}\\.[\\w-]{8,4096}(?:\\.[\\w-]{0,4096}){1,3}",
];
const known = new RegExp(`${begin}(?:${forms.join("|")})`, "g");

/** Whoever has the address may post. */
const webhook =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[\w/-]{8,255}/gi;

/** Behind a name that nothing else has, whichever way it is written. A value without a digit is a word. */
const valued =
  /((?:account|access|api|auth|bot|client|private|refresh|secret|shared|storage)[_-]?(?:access[_-]?)?(?:key|token|secret|signature)["']?(?:\s{0,4}[=:]\s{0,4}|%3d)["']?)(?=[\w.~+/=%-]{0,255}\d)[\w.~+/=%-]{12,4096}/gi;

/** A private key up to its end; what it holds has no five dashes. */
const pem =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----((?:[^-]|-(?!----)){0,16384})(-----END [A-Z0-9 ]{0,48}-----)?/g;
/** Lines of one that was cut short. */
const lines = /^(?:(?:\s|\\[nr]){1,4}[A-Za-z0-9+/=]{32,128})*/;

export const withoutKeys = (text: string): string =>
  text
    .replace(pem, (_, body: string, end?: string) => gone + (end === undefined ? body.replace(lines, "") : ""))
    .replace(webhook, (_, address: string) => address + gone)
    .replace(valued, (_, name: string) => name + gone)
    .replace(known, gone);
