import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRevealed, revealFor } from "#service/operator/reveal";

/** The page that shows the newest token of a location to this reader. `next` is where the person continues; empty: nowhere. */
export async function revealingPath(
  rooms: PageRooms,
  reader: KnownReader,
  id: string,
  next: string,
): Promise<string> {
  const location = await rooms.locations.get(id);
  const [newest] = await rooms.locations.tokens.working(location.id);
  if (newest === undefined) return `/locations/${id}/start`;
  const shown = revealFor(rooms, reader, { what: `location ${id}`, madeAt: newest.createdAt });
  const query = new URLSearchParams(next === "" ? { shown } : { shown, next });
  return `/locations/${id}/start?${query.toString()}`;
}

/** The newest token of a location, if the address was made for this reader and not long ago; else null. */
export async function revealedToken(
  rooms: PageRooms,
  reader: KnownReader,
  id: string,
  shown: string,
): Promise<string | null> {
  const location = await rooms.locations.get(id);
  const [newest] = await rooms.locations.tokens.working(location.id);
  if (newest === undefined) return null;
  const secret = { what: `location ${id}`, madeAt: newest.createdAt };
  if (!isRevealed(rooms, reader, secret, shown)) return null;
  return (await rooms.locations.tokens.readable(location)) || null;
}
