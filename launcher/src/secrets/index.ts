// What other folders may import from `secrets`.
export { createKeyring } from "./keyring.ts";
export { probeSecrets } from "./keyring-probe.ts";
export { createSecrets, type Secrets } from "./secrets.ts";
