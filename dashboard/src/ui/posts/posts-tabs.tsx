// The posts and what is set up for them: three pages that belong together.

import { t } from "../../language/language.ts";
import { accountsAddress, type Place, postRulesAddress, postsAddress } from "../address.ts";

const tabs = [
  { page: "posts", name: t("Posts"), address: postsAddress() },
  { page: "accounts", name: t("Accounts"), address: accountsAddress },
  { page: "post-rules", name: t("Rules"), address: postRulesAddress() },
] as const;

export function PostsTabs({ page: shown }: { page: Place["page"] }) {
  return (
    <nav className="posts-tabs" aria-label={t("Posts and what is set up for them")}>
      {tabs.map(({ page, name, address }) => (
        <a key={page} href={address} aria-current={page === shown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
