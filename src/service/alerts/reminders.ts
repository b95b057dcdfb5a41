import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import { coveredBy } from "#service/alerting/lane-rules";
import { type MaintenancePlan, plannedBy } from "#service/maintenance/maintenance-plan";
import type { AlertChannel, ChannelBook } from "#service/alerts/channel-book";
import { takesReminders } from "#service/alerts/recipients";
import type { SentRow } from "#service/store/sent-row";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

/** Says again what lasts, on the channels that want it, until a person acknowledges it. */
export class Reminders {
  readonly #store: Store;
  readonly #book: ChannelBook;
  readonly #clock: Clock;
  #lookedAt: EpochMillis | null = null;

  constructor(store: Store, book: ChannelBook, clock: Clock) {
    this.#store = store;
    this.#book = book;
    this.#clock = clock;
  }

  async look(): Promise<void> {
    const now = this.#clock.wall();
    const since = this.#lookedAt === null ? Infinity : Math.abs(between(this.#lookedAt, now));
    if (since < limits.remindersLookEvery) return;
    this.#lookedAt = now;
    const { alerts } = this.#store;
    const sent = await alerts.deliveries.sent(limits.remindedAtOnce);
    const due: SentRow[] = [];
    const channels = new Map<number, AlertChannel | null>();
    for (const row of sent) {
      const channel = channels.get(row.channel) ?? (await this.#book.open(row.channel));
      channels.set(row.channel, channel);
      if (channel !== null && isDue(channel, row, now)) due.push(row);
    }
    if (due.length === 0) return;
    const planned = await plannedBy(this.#store, now);
    for (const row of due) await this.#remind(row, planned, now);
  }

  async #remind(
    { incident, name, channel }: SentRow,
    planned: MaintenancePlan,
    now: EpochMillis,
  ): Promise<void> {
    const story = await this.#store.alerts.incidents.story(incident.number);
    const snapshot = story?.events.at(-1)?.snapshot;
    if (snapshot?.of !== "monitor") return;
    if (planned.over(coveredBy(snapshot, incident.subject.id), now) !== null) return;
    const to = { are: "channels", channels: [channel] } as const;
    const events = [{ kind: "reminder", to }] as const;
    await this.#store.alerts.incidents.note({
      incident,
      name,
      cause: "",
      at: now,
      snapshot,
      events,
    });
  }
}

function isDue(channel: AlertChannel, { sentAt, incident }: SentRow, now: EpochMillis): boolean {
  const { reminder } = channel.rules;
  return (
    reminder !== null &&
    takesReminders(channel) &&
    incident.flapping === null &&
    incident.unwatchedSince === null &&
    // It has its own: one for each threshold.
    incident.subject.kind !== "certificate" &&
    between(sentAt, now) >= reminder
  );
}
