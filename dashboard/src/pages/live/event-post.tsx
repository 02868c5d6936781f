// In Live: the post a social event became, or what is missing for one, as its receipt says.
import type { KitEvent, Receipt, ReceiptState } from "@kit/contract";
import { t } from "../../language/language.ts";
import { postOfEventAddress, postRulesAddress } from "../../ui/address.ts";

const ofPost: readonly ReceiptState[] = ["drafted", "approved", "sent", "failed"];

export function EventPost({ event, states }: { event: KitEvent; states: Receipt["states"] }) {
  if (states.some(({ state }) => ofPost.includes(state)))
    return (
      <p className="event-issue">
        <a href={postOfEventAddress(event.id)}>{t("Open its post")}</a>
      </p>
    );
  const last = states.at(-1);
  // Switched off by a person: a rule would change nothing.
  if (event.eventId === null || event.reason || last?.state !== "ignored") return null;
  const hasRule = !last.reason?.startsWith("no rule");
  return (
    <p className="event-issue">
      {hasRule ? (
        <a href={postRulesAddress()}>{t("Open the rules of posts")}</a>
      ) : (
        <a href={postRulesAddress(event.eventId)}>{t("Say what is posted of it")}</a>
      )}
    </p>
  );
}
