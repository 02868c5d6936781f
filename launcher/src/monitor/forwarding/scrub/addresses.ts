// Mail and network addresses. A name of the own machine (127.0.0.1, ::1) tells nothing and stays.
import { isIPv4, isIPv6 } from "node:net";

/** Of a longer local part its end will do. `door@2x.png` is a picture. */
const mail =
  /[\p{L}\p{N}_.!#$&*+=?^`{|}~-]{1,64}(?:@|%40)(?!\dx\.(?:png|jpe?g|webp|gif|svg)\b)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
/** Four numbers may also be a version. */
const v4 = /(?<![\w.]|version[ =:]{1,2}|\bv)\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)/gi;
const v6Run = /(?:[0-9a-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}(?!\w)|[0-9a-f]{0,4})(?:%(?:25)?[\w.-]{1,16})?/gi;

const isOwn = (address: string) => address.startsWith("127.") || address === "0.0.0.0";
/** Nothing but noughts, or a one at the end: no address, or the own one. */
const tellsNothing = /^[0:.]*1?$/;

/** The part of a run of hexadecimal digits and colons that is an address: its beginning may belong to the text before. */
function withoutV6(run: string, at: number, text: string): string {
  const zone = run.indexOf("%");
  const digits = zone < 0 ? run : run.slice(0, zone);
  const isCutShort = zone < 0 && wordCharacter.test(text[at + digits.length] ?? "");
  for (const from of startsIn(digits, wordCharacter.test(text[at - 1] ?? ""))) {
    for (const to of endsIn(digits, isCutShort)) {
      const candidate = digits.slice(from, to);
      if (!isIPv6(candidate)) continue;
      return tellsNothing.test(candidate) ? run : `${digits.slice(0, from)}<ip>${digits.slice(to)}`;
    }
  }
  return run;
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/** What follows a word directly is the rest of a name, as in `Node::add`. */
function startsIn(digits: string, followsWord: boolean): number[] {
  const afterColon = [...digits.matchAll(/:(?=[^:])/g)].map(({ index }) => index + 1);
  return followsWord ? afterColon : [0, ...afterColon];
}

/** The longest first. What is followed by a letter or a digit ends at its last colon. */
function endsIn(digits: string, isCutShort: boolean): number[] {
  const colons = [...digits.matchAll(/:/g)].map(({ index }) => index).reverse();
  return isCutShort ? colons : [digits.length, ...colons];
}

const mayHoldMail = /@|%40/;

export function withoutAddresses(text: string): string {
  // Looking for what stands before an @ is the dearest of all; most texts have none.
  const mailless = mayHoldMail.test(text) ? text.replace(mail, "<email>") : text;
  // The longer form first: it may end with the other.
  return mailless.replace(v6Run, withoutV6).replace(v4, (found) => (isIPv4(found) && !isOwn(found) ? "<ip>" : found));
}
