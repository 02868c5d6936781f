// What other folders may import from `outbox`.
export { type Answer, attemptOnce, isRepeatSafe } from "./attempt-once.ts";
export { destinationState, destinationStatements } from "./destination-store.ts";
export {
  CredentialsDamaged,
  createOutbox,
  credentialsProblem,
  type Destination,
  type Item,
  requestUnanswered,
  shorten,
} from "./outbox.ts";
