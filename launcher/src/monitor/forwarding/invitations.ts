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
import { createSerialQueue } from "../../async.ts";
import type { BucketPlace } from "./bucket.ts";
import type { VisibleTargetAddress } from "./forwarding-store.ts";
import { publicAddressOf, type Targets } from "./targets.ts";

export type InvitationsDeps = {
  readonly targets: Pick<Targets, "list" | "add" | "change">;
  readonly now: () => number;
};
export type Invitations = ReturnType<typeof createInvitations>;

const sortMembers = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The same for the same invitation, whatever the order of its members. */
const versionOf = (invitation: Invitation): string =>
  createHash("sha256").update(JSON.stringify(invitation, sortMembers)).digest("hex");

/**
 * The bucket is contacted as the server is: without TLS and with a certificate of its own only if the invitation says so. Whatever else is
 * in the link, such as keys, is not used.
 */
function bucketOf({ bucket, withoutTls, certificate }: Invitation): BucketPlace | undefined {
  if (bucket === undefined) return undefined;
  const { endpoint, region, name, prefix, hostStyle } = bucket;
  return { endpoint, region, name, prefix, hostStyle, withoutTls, certificate };
}

/** What a server takes besides error reports. */
const isTaken = ({ kind, bucket }: Invitation, ask: Invitation["asks"][number]) =>
  kind === "sentry" || ask === "installation" || (ask === "videos" && bucket !== undefined);

export function createInvitations({ targets, now }: InvitationsDeps) {
  const serialize = createSerialQueue();
  /** A server has one target for a game, whatever its invitations say: withdrawing any of them ends its reports. */
  const acceptedBefore = async (
    invitation: Invitation,
    { host, project }: VisibleTargetAddress,
  ): Promise<ForwardTarget | undefined> => {
    const version = versionOf(invitation);
    const { kind, game } = invitation;
    const accepted = (await targets.list()).filter(({ consent }) => consent !== null);
    const ofServer = accepted.filter((one) => one.kind === kind && one.host === host && one.project === project);
    return accepted.find(({ consent }) => consent?.version === version) ?? ofServer.find((one) => one.game === game);
  };

  const checkedAddress = async (invitation: Invitation) => {
    const { kind, address, asks, withoutTls, certificate } = invitation;
    const shown = await publicAddressOf(kind, { address, headers: {}, withoutTls, certificate }, "/invitation");
    if (new URL(address.trim()).password !== "") rejectField("/invitation/address", message("invitation.password"));
    if (asks.some((ask) => !isTaken(invitation, ask)))
      rejectField("/invitation/asks", message("invitation.asks_of_collector"));
    const bucket = bucketOf(invitation);
    if (bucket !== undefined && !asks.includes("videos"))
      rejectField("/invitation/bucket", message("invitation.bucket_without_videos"));
    const bucketHost = bucket && (await import("./bucket.ts")).checkBucket(bucket, "/invitation/bucket");
    return { ...shown, bucketHost: bucketHost ?? null };
  };

  return {
    /** Throws KitError if the invitation's address is invalid. */
    async check({ invitation }: BodyOf<typeof checkInvitation>): Promise<ReplyOf<typeof checkInvitation>> {
      const shown = await checkedAddress(invitation);
      return { ...shown, target: (await acceptedBefore(invitation, shown)) ?? null };
    },
    /** Throws KitError if the invitation is invalid, or if something is chosen that it does not ask for. */
    async accept({ invitation, reports, ...chosen }: BodyOf<typeof acceptInvitation>): Promise<ForwardTarget> {
      const { studio, text, kind, address, game, environment, withoutTls, certificate } = invitation;
      const shown = await checkedAddress(invitation);
      for (const ask of invitationAsks)
        if (chosen[ask] && !invitation.asks.includes(ask)) rejectField(`/${ask}`, message("invitation.not_asked_for"));
      const decidedAt = new Date(now()).toISOString();
      const consent = { studio, text, version: versionOf(invitation), decidedAt, switches: { reports, ...chosen } };
      const invitedBucket = bucketOf(invitation);
      const transport = { ...(withoutTls && { withoutTls }), ...(certificate !== undefined && { certificate }) };
      // One after another: those who accept at once have one target.
      return serialize(async () => {
        const before = await acceptedBefore(invitation, shown);
        if (before === undefined) {
          if (!reports) rejectField("/reports", message("invitation.without_reports"));
          return targets.add({ kind, address, game, environment, ...chosen, consent, invitedBucket, ...transport });
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
          // Who withdraws keeps a key and a bucket of their own.
          ...(reports && { invitedAccess: { address, ...transport } }),
          ...(reports && chosen.videos && { invitedBucket }),
          ...(isIdChanged && { installation: installation ? "new" : "none" }),
        });
      });
    },
  };
}
