import { Refusal } from "#service/edge/call-refusal";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { personId } from "#service/store/ids";
import type { AccountRow } from "#service/store/people-store";

/** Someone without one came by a key, the password or an identity provider, or is on this machine. */
export const hasAccount = (reader: KnownReader): boolean =>
  reader.kind === "signed in" && accountPattern.test(reader.who);

const accountPattern = /^account (\d+)$/;

/** The account of whoever reads a page. Null of a reader who came by a key, the password or an identity provider. */
export async function ownAccount(
  { people }: PageRooms,
  reader: KnownReader,
): Promise<AccountRow | null> {
  const [, id] = reader.kind === "local" ? [] : (accountPattern.exec(reader.who) ?? []);
  return id === undefined ? null : people.get(personId(Number(id)));
}

export async function accountOf(rooms: PageRooms, reader: KnownReader): Promise<AccountRow> {
  const account = await ownAccount(rooms, reader);
  if (account !== null) return account;
  throw new Refusal(
    "failed_precondition",
    "only a person with an account has a name and a password here",
  );
}
