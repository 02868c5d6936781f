// Gives every component access to the sign-in session and its client.
import type { Client } from "@kit/contract";
import { createContext, use, useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("no session around this component");
  return session;
}

export const useClient = (): Client => useSession().client;

export const useSessionState = (session: Session): SessionState =>
  useSyncExternalStore(session.subscribe, session.current);
