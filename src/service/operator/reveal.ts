import * as limits from "#limits/pages-limits";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { formPurpose } from "#service/operator/sessions";
import { between, type EpochMillis } from "#base/units";

/*
 * A secret that the service made is shown to the person who made it, in that session, and only for a while: long enough to
 * copy it, to load the page again or to come back to it. The address of the page proves the session, and opens nothing in
 * another one.
 */

type RevealRooms = Pick<PageRooms, "box" | "clock">;

/** What may be shown: which secret it is, and when that was made. */
interface Secret {
  readonly what: string;
  readonly madeAt: EpochMillis;
}

/** What the address of a page has so that it shows a secret to this reader. */
export const revealFor = (rooms: RevealRooms, reader: KnownReader, secret: Secret): string =>
  rooms.box.seal(saidOf(rooms, reader, secret), purpose);

/** Whether the address was made for this reader, for this secret, and not long ago. */
export const isRevealed = (
  rooms: RevealRooms,
  reader: KnownReader,
  secret: Secret,
  shown: string,
): boolean =>
  rooms.box.open(shown, purpose) === saidOf(rooms, reader, secret) &&
  between(secret.madeAt, rooms.clock.wall()) <= limits.secretShownFor;

const purpose = "a secret that is shown";

/** Another session, another secret and one that was made anew each have another one. */
const saidOf = (
  { box }: RevealRooms,
  { formToken }: KnownReader,
  { what, madeAt }: Secret,
): string => `${box.open(formToken, formPurpose) ?? ""} ${what} ${madeAt}`;
