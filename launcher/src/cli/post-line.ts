// A post in a few lines of text: what it says, what it shows, and how far it came on each account.
import type { Delivery, Post } from "@kit/contract";
import { print, styled } from "./output.ts";
import { visible } from "./visible.ts";

const tones = {
  draft: "yellow",
  approved: "cyan",
  sending: "cyan",
  sent: "green",
  unsure: "red",
  failed: "red",
  skipped: "dim",
  expired: "dim",
} as const;
const textShown = 80;

const textOf = ({ text, contentWarning }: Post): string => {
  const [line = ""] = text.split("\n", 1);
  const whole = contentWarning === "" ? line : `[${contentWarning}] ${line}`;
  const characters = [...whole];
  const isCut = characters.length > textShown || line !== text;
  return visible(isCut ? `${characters.slice(0, textShown).join("")}…` : whole);
};

function footageOf({ attach, footage }: Post): string {
  if (attach === "none") return "no footage";
  const says = { none: "none", pending: "is being made", ready: "ready", missing: "missing" } as const;
  return `${attach} ${says[footage.state]}`;
}

function deliveryLine({ name, state, says, link, nextTryAt, progress, notes }: Delivery): string {
  const share = progress === null ? "" : ` ${Math.floor(progress * 100)} %`;
  const next = nextTryAt === null ? "" : `again at ${nextTryAt}`;
  const more = [says ?? "", link ?? "", next, ...notes].filter((text) => text !== "");
  return visible(`${name}: ${state}${share}${more.length > 0 ? `; ${more.join("; ")}` : ""}`);
}

/** Each account says how far it is, once there is something to say. */
export function printPost(post: Post): void {
  const { id, game, state, asks, sendsAt, happenedAt, deliveries } = post;
  const when = new Date(happenedAt).toLocaleString("sv-SE");
  const stands = sendsAt === null ? state : `${state}, not sent before ${sendsAt}`;
  const cells = [when, id, visible(game ?? "unsorted"), textOf(post), footageOf(post), styled(tones[state], stands)];
  print(cells.join("  "));
  if (asks !== null) print(styled("yellow", `    asks: ${visible(asks)}`));
  if (deliveries.every((delivery) => delivery.state === "waiting" && delivery.says === null))
    print(styled("dim", `    for ${visible(deliveries.map(({ name }) => name).join(", "))}`));
  else for (const delivery of deliveries) print(`    ${deliveryLine(delivery)}`);
}
