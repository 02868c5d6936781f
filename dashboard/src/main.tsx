// The page's edge: opens the session, then draws the app.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createSession } from "./session/session.ts";
import "./frame/radix.css";
import "./frame/frame.css";

const root = document.getElementById("kit");
if (root === null) throw new Error("index.html has no element with the id kit");
createRoot(root).render(
  <StrictMode>
    <App session={createSession(window, new BroadcastChannel("kit-session"))} />
  </StrictMode>,
);
