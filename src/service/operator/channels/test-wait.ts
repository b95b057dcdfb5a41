import { html, type Html } from "#web/page/html";
import * as limits from "#limits/alerts-limits";
import { capital } from "#base/text";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import { Refusal } from "#service/edge/call-refusal";
import type { FormNotice } from "#service/operator/form-notice";
import { actorOf, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelRow } from "#service/store/channel-store";
import { type Millis, millis } from "#base/units";

/** What a button says with a script while the same test was sent just now; without one, the answer says how long to wait. */
export const waitMark = (wait: Millis, words: string): Html | null =>
  wait === 0 ? null : html` data-wait="${wait}" data-waiting="${words}"`;

/** With a script the button of a test says how long it has been tried, and for how long at most. */
export function tryingMark(provider: Provider): Html {
  const { manner, asking } = rulesOf(provider);
  const sending = manner === "mail" ? limits.mailTimeout : limits.notifyTimeout;
  return html` data-trying="${sending + (asking === null ? 0 : limits.testReceiptWithin)}"`;
}

/** How long this reader waits before the next test of each of these channels that they have just tested. */
export function testWaits(
  { channels, testMessages }: PageRooms,
  reader: KnownReader,
  rows: readonly ChannelRow[],
): ReadonlyMap<number, Millis> {
  const waits = rows.map((row) => {
    const opened = channels.opened(row);
    const wait = opened === null ? millis(0) : testMessages.waitFor(opened, actorOf(reader));
    return [row.id, wait] as const;
  });
  return new Map(waits);
}

/** What became of a test; `accepted` says whose. */
export const outcomeNotice = (trouble: string | null, accepted: string, rest = ""): FormNotice =>
  trouble === null
    ? { words: `${accepted}: check that it arrived.${rest}`, isFault: false }
    : { words: `The test message failed: ${trouble}.${rest}`, isFault: true };

/** Why no test was sent; what is wrong with a field is for its form to say. */
export function notSent(error: unknown): FormNotice {
  if (!(error instanceof Refusal) || error.code !== "resource_exhausted") throw error;
  return { words: `No test was sent. ${capital(error.message)}.`, isFault: true };
}
