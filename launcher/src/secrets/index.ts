// What the store of secrets offers. The rest of the folder is private.
export { createKeyring } from "./keyring.ts";
export { probeSecrets } from "./keyring-probe.ts";
export { createSecrets, type Secrets } from "./secrets.ts";
