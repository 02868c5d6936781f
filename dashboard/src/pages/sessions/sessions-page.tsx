// The Sessions page: the runs of games, or all that happened in one.
import { SessionListPage } from "./session-list-page.tsx";
import { SessionPage } from "./session-page.tsx";
import "../../ui/clips/clips.css";
import "../../ui/list-page.css";
import "./sessions.css";

export function SessionsPage({ open }: { open: string | undefined }) {
  return open === undefined ? <SessionListPage /> : <SessionPage key={open} id={open} />;
}
