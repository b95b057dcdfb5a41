import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import { HttpPost, type HttpWay } from "#service/notify/http-post";
import { plainOutcome } from "#service/notify/outcomes";
import { standstillOf, type Workers } from "#service/standstill";
import { userAgent } from "#base/version";

interface HeartbeatOptions {
  /** Where a watcher elsewhere waits for it. It is secret: whoever has it can say that all is well. */
  readonly url: string;
  readonly http: Pick<HttpPost, "exchange">;
  /** What does not work at present, as the end of a sentence; null if all of it does. */
  readonly standstill: () => Promise<string | null>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Fetches a URL once a minute while the service judges and delivers, until `signal` aborts. A watcher elsewhere alerts
 * when that ceases: the service cannot say itself that it is gone.
 */
export async function sendHeartbeats(
  { url, http, standstill, clock, log }: HeartbeatOptions,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  await clock.sleep(limits.outgoingHeartbeatFirst, signal);
  while (!signal.aborted) {
    const trouble = (await standstill()) ?? (await fetchOnce(url, http, clock, signal));
    if (trouble !== last && trouble !== "" && !signal.aborted)
      log.warn(`the outgoing heartbeat is not sent: ${trouble}`);
    if (trouble === "" && last !== "") log.info("the outgoing heartbeat is sent again");
    last = trouble;
    await clock.sleep(limits.outgoingHeartbeatEvery, signal);
  }
}

interface HeartbeatWay {
  /** Absent: nothing watches. */
  readonly heartbeatUrl?: string;
  readonly notifying: Omit<HttpWay, "clock" | "userAgent">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** For a watcher elsewhere, if there is one. */
export async function heartbeats(
  { judging, health }: Omit<Workers, "courier">,
  courier: Workers["courier"],
  { heartbeatUrl: url, notifying, clock, log }: HeartbeatWay,
  signal: AbortSignal,
): Promise<void> {
  if (url === undefined) return;
  const http = new HttpPost({ ...notifying, clock, userAgent: userAgent() });
  const standstill = standstillOf({ judging, courier, health }, clock);
  await sendHeartbeats({ url, http, standstill, clock, log }, signal);
}

/** Why it did not arrive; empty when it did. */
async function fetchOnce(
  url: string,
  http: HeartbeatOptions["http"],
  clock: Clock,
  signal: AbortSignal,
): Promise<string> {
  using deadline = startDeadline(peerClock(clock), alertsLimits.notifyTimeout, signal);
  const request = { method: "GET", url, headers: {}, body: "", mayFail: false } as const;
  const exchanged = await http.exchange(request, label, deadline);
  const outcome = exchanged.ok
    ? plainOutcome(exchanged.reply, label, clock.wall())
    : exchanged.outcome;
  return "trouble" in outcome ? outcome.trouble.message : "";
}

const label = "PICKET_SERVICE_HEARTBEAT_URL";
