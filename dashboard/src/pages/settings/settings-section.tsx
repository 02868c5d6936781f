// One section of the Settings page: its title, an optional link, and what it contains.
import type { ReactNode } from "react";
import { type SettingsSectionName, settingsSectionId, settingsSectionTitle } from "./settings-sections.ts";

type Props = { name: SettingsSectionName; end?: ReactNode; children: ReactNode };

export function SettingsSection({ name, end, children }: Props) {
  const title = `${settingsSectionId(name)}-title`;
  return (
    <section id={settingsSectionId(name)} className="stack settings-part" aria-labelledby={title}>
      <div className="cluster spread">
        <h2 id={title} tabIndex={-1}>
          {settingsSectionTitle(name)}
        </h2>
        {end}
      </div>
      {children}
    </section>
  );
}
