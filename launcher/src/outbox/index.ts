// What other folders may import from `outbox`.
export { attemptOnce, isRepeatSafe, type SendAnswer } from "./attempt-once.ts";
export { destinationState, destinationStatements, readDestinationWaitMs, waitColumns } from "./destination-store.ts";
export {
  CredentialsDamaged,
  CredentialsMissing,
  createOutbox,
  credentialsProblem,
  type Destination,
  type OutboxItem,
  type RequestLimit,
  requestLimit,
  requestUnanswered,
  shortenMessage,
} from "./outbox.ts";
