// Checks a studio's invitation, and accepts it: adds the target with what the person agreed to, and keeps their decision.
import { createHash } from "node:crypto";
import {
  type acceptInvitation,
  type BodyOf,
  type checkInvitation,
  type ForwardTarget,
  type Invitation,
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

  const visibleAddress = async ({ kind, address, withoutTls, certificate }: Invitation) => {
    const shown = await publicAddressOf(kind, { address, headers: {}, withoutTls, certificate });
    if (new URL(address.trim()).password !== "") rejectField("/invitation/address", message("invitation.password"));
    return shown;
  };

  return {
    /** Throws KitError if the invitation's address is invalid. */
    async check({ invitation }: BodyOf<typeof checkInvitation>): Promise<ReplyOf<typeof checkInvitation>> {
      const { host, project } = await visibleAddress(invitation);
      return { host, project, target: (await acceptedBefore(invitation)) ?? null };
    },
    /** Throws KitError if the invitation's address is invalid. */
    async accept({ invitation, ...chosen }: BodyOf<typeof acceptInvitation>): Promise<ForwardTarget> {
      await visibleAddress(invitation);
      const { studio, text, kind, address, game, environment, withoutTls, certificate } = invitation;
      const before = await acceptedBefore(invitation);
      if (before !== undefined) {
        const { installation, ...others } = chosen;
        const change = { enabled: true, ...others };
        if (installation === (before.installation !== null)) return targets.change(before.id, change);
        return targets.change(before.id, { ...change, installation: installation ? "new" : "none" });
      }
      const decidedAt = new Date(now()).toISOString();
      const consent = { studio, text, version: versionOf(invitation), decidedAt };
      const transport = { ...(withoutTls && { withoutTls }), ...(certificate !== undefined && { certificate }) };
      return targets.add({ kind, address, game, environment, ...chosen, consent, ...transport });
    },
  };
}
