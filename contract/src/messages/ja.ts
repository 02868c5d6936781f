// All Japanese texts: the launcher's messages by code; descriptions of operations, networks and engines by their
// English text.
import descriptions from "./descriptions.ja.json" with { type: "json" };
import engines from "./engines.ja.json" with { type: "json" };
import messages from "./ja.json" with { type: "json" };
import networks from "./networks.ja.json" with { type: "json" };

export const japaneseTexts: Readonly<Record<string, string>> = {
  ...engines,
  ...networks,
  ...descriptions,
  ...messages,
};
