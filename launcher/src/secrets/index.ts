// What other folders may import from `secrets`.
export { createKeyring } from "./keyring.ts";
export { createSecrets, probeSecrets, type Secrets } from "./secrets.ts";
