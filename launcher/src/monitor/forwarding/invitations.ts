// Checks a studio's invitation, and accepts it: adds the target with what the person agreed to, and keeps their decision.
import { createHash } from "node:crypto";
import {
  type acceptInvitation,
  type BodyOf,
  type checkInvitation,
  type ForwardTarget,
  type Invitation,
  invitationAsks,
  type ReplyOf,
  rejectField,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { publicAddressOf, type Targets } from "./targets.ts";

export type InvitationsDeps = {
  readonly targets: Pick<Targets, "list" | "add" | "change">;
  readonly now: () => number;
};
export type Invitations = ReturnType<typeof createInvitations>;

/** The same for the same invitation, whatever the order of its members. */
function versionOf(invitation: Invitation): string {
  const members = Object.entries(invitation).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(members)).digest("hex");
}

export function createInvitations({ targets, now }: InvitationsDeps) {
  const acceptedBefore = async (invitation: Invitation): Promise<ForwardTarget | undefined> => {
    const version = versionOf(invitation);
    return (await targets.list()).find(({ consent }) => consent?.version === version);
  };

  const checkedAddress = async ({ kind, address, asks, withoutTls, certificate }: Invitation) => {
    const shown = await publicAddressOf(kind, { address, headers: {}, withoutTls, certificate });
    if (new URL(address.trim()).password !== "") rejectField("/invitation/address", message("invitation.password"));
    if (kind === "otlp" && asks.some((ask) => ask !== "installation"))
      rejectField("/invitation/asks", message("invitation.asks_of_collector"));
    return shown;
  };

  return {
    /** Throws KitError if the invitation's address is invalid. */
    async check({ invitation }: BodyOf<typeof checkInvitation>): Promise<ReplyOf<typeof checkInvitation>> {
      const { host, project } = await checkedAddress(invitation);
      return { host, project, target: (await acceptedBefore(invitation)) ?? null };
    },
    /** Throws KitError if the invitation is invalid, or if something is chosen that it does not ask for. */
    async accept({ invitation, reports, ...chosen }: BodyOf<typeof acceptInvitation>): Promise<ForwardTarget> {
      const { studio, text, kind, address, game, environment, withoutTls, certificate } = invitation;
      await checkedAddress(invitation);
      for (const ask of invitationAsks)
        if (chosen[ask] && !invitation.asks.includes(ask)) rejectField(`/${ask}`, message("invitation.not_asked_for"));
      const consent = { studio, text, version: versionOf(invitation), decidedAt: new Date(now()).toISOString() };
      const transport = { ...(withoutTls && { withoutTls }), ...(certificate !== undefined && { certificate }) };
      const before = await acceptedBefore(invitation);
      if (before === undefined) {
        if (!reports) rejectField("/reports", message("invitation.without_reports"));
        return targets.add({ kind, address, game, environment, ...chosen, consent, ...transport });
      }
      const { installation, ...others } = chosen;
      const isIdChanged = installation !== (before.installation !== null);
      return targets.change(before.id, {
        ...others,
        enabled: reports,
        // They agree to what the page says, whatever they changed meanwhile. After a change of the server, no target has the invitation.
        game,
        environment,
        consent,
        ...(isIdChanged && { installation: installation ? "new" : "none" }),
      });
    },
  };
}
