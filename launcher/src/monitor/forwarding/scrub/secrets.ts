// Keys and passwords in addresses and headers: what stands behind a telling name goes. Every repetition is bounded, so that
// the time grows with the text's length and no faster.

const gone = "<removed>";

/** `https://user:password@host`: the part before the @. */
const userInfo = /(:\/\/)[^\s/?#@"'<>]{1,256}@/g;
const named =
  /((?:^|[?&;#,{\s"'])["']?(?:[\w.-]{0,32}[_.-])?(?:token|key|apikey|secret|password|passwd|pwd|passphrase|auth|authorization|jwt|signature|sig|session|sessionid|sid|cookie|credentials?|code)["']?(?:=|%3d|:\s?"|:\s?'))([^\s&;#"'<>]{1,4096})/gi;
const scheme = /\b(bearer|basic|token)(\s{1,4})(?=[\w.~+/=-]{0,4096}\d)[\w.~+/=-]{8,4096}/gi;

export const withoutSecrets = (text: string): string =>
  text
    .replace(userInfo, `$1${gone}@`)
    .replace(named, (_, name: string) => `${name}${gone}`)
    .replace(scheme, (_, word: string, space: string) => `${word}${space}${gone}`);
