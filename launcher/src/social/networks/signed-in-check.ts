// The result of a check that says that the account is signed in.
import type { AccountCheck } from "@kit/contract";
import { message } from "@kit/contract/messages";

export const signedInResult = (account: string): AccountCheck => ({
  what: message("account.signed_in"),
  ok: true,
  says: message("account.signed_in_as", { account }),
});
