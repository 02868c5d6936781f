// Prints a post: its text, footage, state, and the state of each delivery.
import type { Delivery, Post } from "@kit/contract";
import { escapeInvisible } from "./escape.ts";
import { print, styled } from "./output.ts";

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

const postExcerpt = ({ text, contentWarning }: Post): string => {
  const [line = ""] = text.split("\n", 1);
  const whole = contentWarning === "" ? line : `[${contentWarning}] ${line}`;
  const characters = [...whole];
  const isCut = characters.length > textShown || line !== text;
  return escapeInvisible(isCut ? `${characters.slice(0, textShown).join("")}…` : whole);
};

function footageText({ attach, footage }: Post): string {
  if (attach === "none") return "no footage";
  const states = { none: "none", pending: "in progress", ready: "ready", missing: "missing" } as const;
  return `${attach} ${states[footage.state]}`;
}

function deliveryLine({ name, state, says, link, nextTryAt, progress, notes }: Delivery): string {
  const share = progress === null ? "" : ` ${Math.floor(progress * 100)} %`;
  const next = nextTryAt === null ? "" : `next try at ${nextTryAt}`;
  const more = [says ?? "", link ?? "", next, ...notes].filter((text) => text !== "");
  return escapeInvisible(`${name}: ${state}${share}${more.length > 0 ? `; ${more.join("; ")}` : ""}`);
}

/** Prints a post, with its deliveries one per line once any of them has started. */
export function printPost(post: Post): void {
  const { id, game, state, asks, sendsAt, happenedAt, deliveries } = post;
  const when = new Date(happenedAt).toLocaleString("sv-SE");
  const stateText = sendsAt === null ? state : `${state}, not sent before ${sendsAt}`;
  const cells = [
    when,
    id,
    escapeInvisible(game ?? "unsorted"),
    postExcerpt(post),
    footageText(post),
    styled(tones[state], stateText),
  ];
  print(cells.join("  "));
  if (asks !== null) print(styled("yellow", `    needs you: ${escapeInvisible(asks)}`));
  if (deliveries.every((delivery) => delivery.state === "waiting" && delivery.says === null))
    print(styled("dim", `    for ${escapeInvisible(deliveries.map(({ name }) => name).join(", "))}`));
  else for (const delivery of deliveries) print(`    ${deliveryLine(delivery)}`);
}
