import { filesOf } from "#service/operator/managed-note";
import { counted, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { type ChannelHealth, isFailing } from "#service/operator/channels/channel-health";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { mailFormPath } from "#service/operator/settings/mail-link";
import type { DeliveryRow } from "#service/store/alert-store";
import { between, type EpochMillis } from "#base/units";

/** What a page of a channel says first if it fails: what does not arrive, since when, and what to do. */
export function channelTrouble(
  health: ChannelHealth,
  deliveries: readonly DeliveryRow[],
  reader: KnownReader,
  at: EpochMillis,
): Html | null {
  if (!isFailing(health)) return null;
  const { standing } = health;
  const { what, since } = faultOf(health, deliveries);
  return html`<div class="trouble error" ${isTestFault(health) ? html` role="alert"` : null}>
    <p class="why">${what}.</p>
    <p>
      ${since === null ? null : html`Since ${momentOf(since)}, for ${lengthOf(between(since, at))}. `}
      ${standing.waiting === 0 ? null : `${counted(standing.waiting, "message")} ${standing.waiting === 1 ? "waits" : "wait"}. `}
      ${nextTry(health, at)}
    </p>
    <p>${nextStep(health, reader)}</p>
  </div>`;
}

/** The same in a line of a list, with what to do; null if nothing fails. */
export function troubleLine(
  health: ChannelHealth,
  reader: KnownReader,
  at: EpochMillis,
): Html | null {
  if (!isFailing(health)) return null;
  const { what, since } = faultOf(health, []);
  const lasts = since === null ? null : `For ${lengthOf(between(since, at))}. `;
  return html`<p class="fault">
    <strong>${what}.</strong> ${lasts}${nextTry(health, at)} ${nextStep(health, reader)}
  </p>`;
}

interface Fault {
  /** A sentence without its stop. */
  readonly what: string;
  /** Null if that is not known. */
  readonly since: EpochMillis | null;
}

function faultOf(
  { lane, trouble, standing: { lastTest, lastSentAt } }: ChannelHealth,
  deliveries: readonly DeliveryRow[],
): Fault {
  if (trouble !== "")
    return { what: `Messages do not arrive: ${trouble}`, since: lane.failing?.since ?? null };
  if (lane.failures === 0)
    // Nothing lasts since a test: when it was is with the messages.
    return {
      what: `The last test message did not arrive: ${lastTest?.trouble ?? ""}`,
      since: null,
    };
  const failed = deliveries.find(({ state, message }) => state === "waiting" && message !== "");
  const why = failed === undefined ? "" : `: ${failed.message}`;
  const since = firstFailure(deliveries, lastSentAt) ?? failed?.firstTriedAt ?? null;
  return { what: `The last message did not arrive${why}`, since };
}

/** The first attempt that came to nothing after the channel last took a message; null if none is known. */
function firstFailure(
  deliveries: readonly DeliveryRow[],
  lastSentAt: EpochMillis | null,
): EpochMillis | null {
  const [first] = deliveries
    .filter(({ state, message }) => message !== "" && state !== "sent" && state !== "accepted")
    .flatMap(({ firstTriedAt }) => firstTriedAt ?? [])
    .filter((at) => at > (lastSentAt ?? 0))
    .toSorted((a, b) => a - b);
  return first ?? null;
}

/** Whether all that is known to fail is its last test. */
export const isTestFault = (health: ChannelHealth): boolean =>
  isFailing(health) && health.trouble === "" && health.lane.failures === 0;

/** Whether it is the channel itself that cannot send, so that its sentence says what to do. */
const isOfItself = ({ lane, trouble }: ChannelHealth): boolean =>
  trouble !== "" && trouble !== lane.failing?.message;

/** When the service tries again; null if there is nothing to be tried. */
function nextTry(health: ChannelHealth, at: EpochMillis): string | null {
  const { isDisabled, failures, restUntil } = health.lane;
  if (isDisabled) return "Nothing is tried until its data is changed or a delivery is retried.";
  if (isOfItself(health) || failures === 0) return null;
  return restUntil > at
    ? `Picket tries again in ${lengthOf(between(at, restUntil))}.`
    : "Picket tries again by itself.";
}

function nextStep(health: ChannelHealth, reader: KnownReader): Html {
  const { id, owner } = health.row;
  if (!mayChange(reader)) return html`Ask an editor to check the channel's data.`;
  if (health.trouble.includes("Settings → Mail"))
    return may(reader, "owner")
      ? html`<a href="${mailFormPath(`/channels/${id}`)}">Open Settings → Mail</a>, then send a test
          message.`
      : html`Ask an owner to do that, then send a test message.`;
  if (isOfItself(health)) return html`Then send a test message.`;
  const check =
    owner === ""
      ? html`<a href="/channels/${id}/edit">Check the channel's data</a>`
      : html`Check the channel's data in ${filesOf(owner)}`;
  return html`${check}, then send a test message.`;
}
