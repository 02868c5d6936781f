// Tabs that join the pages of one subject: posts and their settings, games with their sessions and rules.
import "./page-tabs.css";
import { t } from "../language/language.ts";
import {
  accountsAddress,
  gamesAddress,
  type PageLocation,
  postRulesAddress,
  postsAddress,
  rulesAddress,
  sessionsAddress,
} from "./address.ts";

type Tab = { readonly page: PageLocation["page"]; readonly name: string; readonly address: string };
type TabsProps = { page: PageLocation["page"] };

function PageTabs({ label, tabs, page: shown }: TabsProps & { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="page-tabs" aria-label={label}>
      {tabs.map(({ page, name, address }) => (
        <a key={page} href={address} aria-current={page === shown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

export function PostsTabs({ page }: TabsProps) {
  const tabs: Tab[] = [
    { page: "posts", name: t("Posts"), address: postsAddress() },
    { page: "accounts", name: t("Accounts"), address: accountsAddress },
    { page: "post-rules", name: t("Post rules"), address: postRulesAddress() },
  ];
  return <PageTabs label={t("Posts and their settings")} tabs={tabs} page={page} />;
}

export function GamesTabs({ page }: TabsProps) {
  const tabs: Tab[] = [
    { page: "games", name: t("Games"), address: gamesAddress },
    { page: "sessions", name: t("Sessions"), address: sessionsAddress() },
    { page: "rules", name: t("Event rules"), address: rulesAddress() },
  ];
  return <PageTabs label={t("Games, sessions and rules")} tabs={tabs} page={page} />;
}
