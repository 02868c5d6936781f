// The launcher's messages in Japanese, by code; what the contract, networks and engines say of themselves, by the English text.
import described from "./described.ja.json" with { type: "json" };
import descriptions from "./descriptions.ja.json" with { type: "json" };
import messages from "./ja.json" with { type: "json" };

export const japanese: Readonly<Record<string, string>> = { ...described, ...descriptions, ...messages };
