// Where in a kit.events.json something is wrong, beyond what its schema says. Pure.
import { bodyBytesMax, type EventsFile, eventIdCharsMax, type FieldError, KitError } from "@kit/contract";

/** A JSON pointer to a member of an event id. */
export const placeOf = (eventId: string, member = ""): string =>
  `/events/${eventId.replaceAll("~", "~0").replaceAll("/", "~1")}${member}`;

const control = /\p{Cc}/u;

function problemOfId(eventId: string, game: string): string | undefined {
  if (!eventId.startsWith(`${game}_`) || eventId.length === game.length + 1) {
    return `is no event of this game: its ids begin with ${game}_ and go on`;
  }
  if ([...eventId].length > eventIdCharsMax) return `is longer than ${eventIdCharsMax} characters`;
  return control.test(eventId) ? "has control characters in it" : undefined;
}

/** Ids that are not this game's, or that no game can send. */
export const problemsOfIds = ({ game, events }: EventsFile): FieldError[] =>
  Object.keys(events).flatMap((eventId) => {
    const message = problemOfId(eventId, game);
    return message === undefined ? [] : [{ path: placeOf(eventId), message }];
  });

/** What could not be given back to the launcher must not be taken: there would be no undo. */
export const problemsOfSize = (file: EventsFile): FieldError[] =>
  Buffer.byteLength(JSON.stringify(file)) <= bodyBytesMax
    ? []
    : [
        {
          path: "/events",
          message: `replaces so much that it could not be undone in one piece of ${bodyBytesMax} bytes: divide the file`,
        },
      ];

export function assertNone(problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw new KitError(
    "payload_invalid",
    `${problems.map(({ path, message }) => `${path} ${message}`).join("; ")}.`,
    problems,
  );
}
