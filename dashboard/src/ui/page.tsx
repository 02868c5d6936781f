// The frame of a page: its scrolling area, its head with the title, and the title of the browser's tab.
import "./list-page.css";
import { type ComponentProps, type ReactNode, type RefObject, useEffect } from "react";
import { StorageBanner } from "./storage-banner.tsx";

/** `column` limits the width of the content and centres it. */
type PageProps = ComponentProps<"main"> & { column?: "slim" | "medium" | "wide" };

export function Page({ column, className = "", children, ...main }: PageProps) {
  return (
    <main {...main} className={`page ${className}`}>
      <StorageBanner />
      {column === undefined ? children : <div className={`column ${column}`}>{children}</div>}
    </main>
  );
}

type HeadProps = {
  title: string;
  /** Lets the page move the focus to its title. */
  heading?: RefObject<HTMLHeadingElement | null>;
  /** Content beside the title. */
  beside?: ReactNode;
  /** Content at the right end of the head. */
  end?: ReactNode;
  /** Content below the title, for example filters. */
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

/** Sets the tab's title; undefined leaves it as it is. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title;
  }, [title]);
}
