// The Sessions page: the list, or one session.
import { SessionListPage } from "./session-list-page.tsx";
import { SessionPage } from "./session-page.tsx";
import "./sessions.css";

export function SessionsPage({ open }: { open: string | undefined }) {
  return open === undefined ? <SessionListPage /> : <SessionPage key={open} id={open} />;
}
