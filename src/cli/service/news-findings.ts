import { type Finding, fine, warning } from "#cli/doctor/finding";
import { isMissing } from "#cli/service/service-database";
import * as limits from "#limits/status-limits";
import { isServer, openStore } from "#service/store/open-store";
import { counted } from "#base/text";
import { between, type EpochMillis } from "#base/units";

/** Whether news to subscribers of status pages get out; nothing if the service has made no database yet. */
export async function newsFindings(
  database: string,
  now: EpochMillis,
): Promise<readonly Finding[]> {
  if (!isServer(database) && isMissing(database)) return [];
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const { count, oldest } = await store.readers.letters.waiting();
  const about = "news";
  if (oldest === null) return [fine(about, "none wait for subscribers of status pages")];
  const age = between(oldest, now);
  const minutes = counted(Math.floor(age / 60_000), "minute");
  const says = `${counted(count, "message")} to subscribers of status pages ${count === 1 ? "waits" : "wait"}, the oldest for ${minutes}`;
  return age < limits.lettersLateAfter
    ? [fine(about, says)]
    : [
        warning(
          about,
          says,
          "check that the service runs, then look at its log and at Subscribers of the page at /status-pages",
        ),
      ];
}
