// A button that applies a command to all selected rows.
import { Button } from "@radix-ui/themes";
import { Icon, type IconName } from "./icon.tsx";

type Props = { icon: IconName; label: string; onClick: () => void };

export const SelectionButton = ({ icon, label, onClick }: Props) => (
  <Button variant="soft" color="gray" onClick={onClick}>
    <Icon name={icon} size={14} />
    {label}
  </Button>
);
