// The name of an account, with the name and the icon of its network.
import type { Delivery } from "@kit/contract";
import { PathIcon } from "../icon.tsx";
import { visibleLine } from "../visible-text.ts";
import { networkLabel } from "./post-text.ts";

export function AccountName({ of: { network, name } }: { of: Pick<Delivery, "network" | "name"> }) {
  const { says, icon } = networkLabel(network);
  return (
    <span className="with-icon">
      <PathIcon path={icon} size={14} />
      <span>{says}</span>
      <bdi className="quiet">{visibleLine(name, 60)}</bdi>
    </span>
  );
}
