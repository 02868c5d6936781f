// Gives every component access to the sign-in session and its client.
import type { Client } from "@kit/contract";
import { createContext, use, useSyncExternalStore } from "react";
import type { SessionState, SignInSession } from "./session.ts";

export const SessionContext = createContext<SignInSession | undefined>(undefined);

export function useSignInSession(): SignInSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("no session around this component");
  return session;
}

export const useClient = (): Client => useSignInSession().client;

export const useSessionState = (session: SignInSession): SessionState =>
  useSyncExternalStore(session.subscribe, session.current);
