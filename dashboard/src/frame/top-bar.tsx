// The bar over every page: whose page this is, where one can go, light or dark.
import { IconButton } from "@radix-ui/themes";
import { type Appearance, appearances } from "./appearance.ts";
import { Icon, type IconName } from "./icon.tsx";
import mark from "./mark.svg";

const appearanceWords: Record<Appearance, { says: string; icon: IconName }> = {
  system: { says: "as the system", icon: "screen" },
  light: { says: "light", icon: "sun" },
  dark: { says: "dark", icon: "moon" },
};

/** A page more is a line more. */
const pages = [{ name: "Live", address: "#/live" }] as const;

type Props = { appearance: { choice: Appearance }; onAppearance: (choice: Appearance) => void };

export function TopBar({ appearance: { choice }, onAppearance }: Props) {
  const next = appearances[(appearances.indexOf(choice) + 1) % appearances.length] ?? "system";
  const label = `Colours: ${appearanceWords[choice].says}. Change to ${appearanceWords[next].says}`;
  return (
    <header className="top-bar">
      <span className="brand">
        <img src={mark} width="26" height="26" alt="" />
        <span>Kit</span>
      </span>
      <nav aria-label="Pages">
        {pages.map((page) => (
          <a key={page.name} href={page.address} aria-current="page">
            {page.name}
          </a>
        ))}
      </nav>
      <IconButton
        className="top-bar-end"
        variant="ghost"
        color="gray"
        aria-label={label}
        title={label}
        onClick={() => onAppearance(next)}
      >
        <Icon name={appearanceWords[choice].icon} />
      </IconButton>
    </header>
  );
}
