// Entry point: loads the language, opens the session, then renders the app.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createSignInSession } from "./api/session.ts";
import { loadChosenLanguage } from "./language/language.ts";
import "./ui/radix.css";
import "./ui/base.css";
import "./ui/blocks.css";
import "./ui/frame.css";

const root = document.getElementById("kit");
if (root === null) throw new Error("index.html has no element with the id kit");
await loadChosenLanguage();
// Imported only after the language is loaded, because modules of the app translate texts as they load.
const { App } = await import("./app.tsx");
createRoot(root).render(
  <StrictMode>
    <App session={createSignInSession(window)} />
  </StrictMode>,
);
