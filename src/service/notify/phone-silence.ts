import type { Notice } from "#service/notify/event";

/** Why a telephone is left alone; null if it is not. */
export function phoneSilence(notice: Notice): string | null {
  if (notice.type === "monitor.reminder") return "phones get no reminders";
  // The other way round, this may be the first message about it: channels may leave out what is degraded.
  if (notice.type === "monitor.degraded" && notice.occasion.why === "changed")
    return "phones get no messages about recoveries";
  return null;
}
