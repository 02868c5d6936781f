// The result of signing in, as networks with sign-in report it.
import type { AccountCheck } from "@kit/contract";
import { message } from "@kit/contract/messages";

export const signedInCheck = (account: string): AccountCheck => ({
  what: message("account.signed_in"),
  ok: true,
  says: message("account.signed_in_as", { account }),
});
