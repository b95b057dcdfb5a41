import { waitingAccountsLookedAt } from "#limits/pages-limits";
import { firstEntry } from "#service/operator/changes/first-entry";
import { auditedAs, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { hasAccount } from "#service/operator/settings/own-account";
import { actorWords } from "#service/store/audit/actor";
import type { AccountRow } from "#service/store/people-store";

/**
 * The newest account of an owner that a reader without an account created, and that waits for its password: most likely
 * their own. Null if there is none.
 */
export async function waitingAccount(
  { people, store }: Pick<PageRooms, "people" | "store">,
  reader: KnownReader,
): Promise<AccountRow | null> {
  if (reader.kind === "local" || hasAccount(reader) || reader.role !== "owner") return null;
  const waiting = (await people.list())
    .filter(
      ({ role, joinedAt, disabledAt }) =>
        role === "owner" && joinedAt === null && disabledAt === null,
    )
    .toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  for (const account of waiting.slice(0, waitingAccountsLookedAt)) {
    const subject = { kind: "person", id: String(account.id) } as const;
    const made = await firstEntry(store, subject, account.createdAt);
    if (made !== null && actorWords(made.who) === actorWords(auditedAs(reader))) return account;
  }
  return null;
}
