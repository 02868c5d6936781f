// Tabs of the three pages about posts.
import "./posts.css";
import { t } from "../../language/language.ts";
import { accountsAddress, type PageLocation, postRulesAddress, postsAddress } from "../address.ts";

const tabs = [
  { page: "posts", name: t("Posts"), address: postsAddress() },
  { page: "accounts", name: t("Accounts"), address: accountsAddress },
  { page: "post-rules", name: t("Rules"), address: postRulesAddress() },
] as const;

export function PostsTabs({ page: shown }: { page: PageLocation["page"] }) {
  return (
    <nav className="posts-tabs" aria-label={t("Posts and their settings")}>
      {tabs.map(({ page, name, address }) => (
        <a key={page} href={address} aria-current={page === shown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
