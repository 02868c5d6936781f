// The frame of a page: its scrolling area, its head with the title, and the title of the browser tab.
import "./list-page.css";
import { type ComponentProps, type ReactNode, type RefObject, useEffect } from "react";
import { StorageBanner } from "./storage-banner.tsx";

/** `column` limits the width of the page's content and centres it. */
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
