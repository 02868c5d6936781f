// The frame of a page: its scrolling area with the storage banner and the requests for consent, its head with the title, the tabs of
// its subject, the title of the browser tab, the first focus.
import "./list-page.css";
import "./page-tabs.css";
import { hasCode, textOf } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useHealth } from "../api/use-launcher.ts";
import { t, translateMessage } from "../language/language.ts";
import {
  accountsAddress,
  gamesAddress,
  type PageLocation,
  postRulesAddress,
  postsAddress,
  rulesAddress,
  sessionsAddress,
  storageAddress,
} from "./address.ts";
import { ConsentCards } from "./consent-cards.tsx";
import { Icon } from "./icon.tsx";
import { visibleText } from "./visible-text.ts";

/** `column` limits the width of the page's content and centres it. */
type PageProps = ComponentProps<"main"> & { column?: "slim" | "medium" | "wide" };

export function Page({ column, className = "", children, ...main }: PageProps) {
  return (
    <main {...main} className={`page ${className}`}>
      <StorageBanner />
      <ConsentCards />
      {column === undefined ? children : <div className={`column ${column}`}>{children}</div>}
    </main>
  );
}

type HeadProps = {
  title: string;
  /** With this, the page can move the focus to its title. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Shown beside the title. */
  beside?: ReactNode;
  /** Shown at the right end of the head. */
  end?: ReactNode;
  /** Shown below the title, e.g. filters. */
  children?: ReactNode;
};

/** The head of a page, which stays visible while the page scrolls. */
export function PageHead({ title, heading, beside, end, children }: HeadProps) {
  return (
    <div className="page-head">
      <header>
        <h1 ref={heading} tabIndex={heading && -1}>
          {title}
        </h1>
        {beside}
        {end && <div className="page-head-end">{end}</div>}
      </header>
      {children}
    </div>
  );
}

/** Sets the title of the browser tab. Undefined leaves it unchanged. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}

const needsSpaceCodes = ["storage.disk_full", "storage.disk_errors"];

/** The banner that says when Kit cannot store something, or when something else about storage needs attention. */
function StorageBanner() {
  const storage = useHealth().data?.storage;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  if (storage === undefined) return null;
  const notices = storage.notices.filter((notice) => !hidden.includes(textOf(notice)));
  return (
    <>
      {storage.state === "failing" && (
        <div className="banner" data-tone="bad" role="alert">
          <Icon name="disk" />
          <p>
            <strong>{t("Kit cannot store events right now.")}</strong>{" "}
            {t("Until Kit can store events again, it refuses new ones, so no event is confirmed and then lost.")}{" "}
            {storage.detail && visibleText(translateMessage(storage.detail))}
          </p>
          {storage.detail && needsSpaceCodes.some((code) => hasCode(storage.detail ?? "", code)) && (
            <a href={storageAddress}>{t("Free up space")}</a>
          )}
        </div>
      )}
      {notices.map((notice) => (
        <div key={textOf(notice)} className="banner" data-tone="notice">
          <Icon name="disk" />
          <p>{visibleText(translateMessage(notice))}</p>
          <Button size="1" variant="ghost" color="amber" onClick={() => setHidden([...hidden, textOf(notice)])}>
            {t("Hide")}
          </Button>
        </div>
      ))}
    </>
  );
}

/** Moves the keyboard focus to an element, such as the heading of a page, when the element is first drawn. */
export function useInitialFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus({ preventScroll: true }), []);
  return element;
}

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
