import { html, type Html } from "#web/page/html";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { hears } from "#service/alerting/hearing";
import { isAlwaysQuiet } from "#service/alerting/quiet-hours";
import type { PageRooms } from "#service/operator/page-rooms";
import type { MonitorRow } from "#service/store/state-store";

/** A channel that is notified of a monitor. */
export interface NotifiedChannel {
  readonly id: number;
  readonly name: string;
  /** All its hours are quiet, so it never sends. */
  readonly isSilent: boolean;
}

/** The channels that are notified of its failures: those of all monitors, and those that name it. */
export async function notifiedChannels(
  { store }: PageRooms,
  { id, labels, locations }: MonitorRow,
): Promise<readonly NotifiedChannel[]> {
  const channels = (await store.alerts.channels.ofMonitors([id])).get(id) ?? [];
  const names = (): boolean => true;
  return channels
    .filter(({ rules }) =>
      hears({ rules: { ...rules, quietHours: [] }, names }, id, { labels, locations }),
    )
    .map((one) => ({ ...one, isSilent: isAlwaysQuiet(one.rules.quietHours) }));
}

/** Where messages about a monitor go; no channel is said as what it is. */
export function notifiedSection(
  monitor: number,
  channels: readonly NotifiedChannel[],
  reader: KnownReader,
): Html {
  return html`<section aria-labelledby="notifies">
    <h2 id="notifies">Notifications</h2>
    ${
      channels.some(({ isSilent }) => !isSilent)
        ? null
        : html`<p class="no-channel">
            <strong>No channel is notified of this monitor.</strong> ${
              mayChange(reader)
                ? html`<a href="/monitors/${monitor}/edit#field-notifications">Choose channels</a>,
                    or <a href="/channels">let one be for all monitors</a>.`
                : null
            }
          </p>`
    }
    ${
      channels.length === 0
        ? null
        : html`<ul class="names">
            ${channels.map(
              ({ id, name, isSilent }) =>
                html`<li>
                  <a href="/channels/${id}">${name}</a>${
                    isSilent ? html`, <span class="kind">always quiet: it never sends</span>` : null
                  }
                </li>`,
            )}
          </ul>`
    }
  </section>`;
}
