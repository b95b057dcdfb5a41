import type { ChannelChanges, WantedChannel } from "#service/channels/wanted-channel";
import type { Mistake } from "#check/findings";
import { unsendableUrl, urlIn } from "#service/notify/unsendable-url";
import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import { channelNameFaults } from "#service/alerting/rule-faults";
import type { Accounts } from "#service/notify/accounts";
import type { Channel, Configuration, Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";
import { absent, because, Refusal } from "#service/edge/call-refusal";
import {
  everyLocationDeleted,
  placeless,
  refuseUnknownLocations,
} from "#service/channels/channel-locations";
import { existingMonitors } from "#service/channels/existing-monitors";
import { invalidData } from "#service/channels/channel-fault";
import { keptForAll, refuseLacking } from "#service/channels/for-all-monitors";
import { newSigningSecret } from "#service/channels/new-signing-secret";
import { usualRules } from "#service/channels/usual-rules";
import { channelWith, configurationIn } from "#service/channels/channel-message";
import type { Monitors } from "#service/monitors/monitors";
import type { SecretBox } from "#service/edge/secret-box";
import type {
  AnnouncedChannel,
  ChannelHead,
  ChannelRow,
  ChannelSecret,
  NewChannel,
} from "#service/store/channel-store";
import { channelId, integerOf } from "#service/store/ids";
import type { Store } from "#service/store/store";

interface ChannelRooms {
  readonly monitors: Monitors;
  readonly box: SecretBox;
  readonly accounts: Accounts;
  /** Whether messages may go by plain http to hosts that are not private. */
  readonly httpAllowed: boolean;
  readonly clock: Clock;
}

/** The channels that messages go to: their configurations are sealed in the store, and opened to be sent or shown. */
export class NotificationChannels {
  readonly #store: Store["alerts"];
  readonly #locations: Store["state"]["locations"];
  readonly #monitors: Monitors;
  readonly #box: SecretBox;
  readonly #accounts: Accounts;
  readonly #httpAllowed: boolean;
  readonly #clock: Clock;

  constructor(store: Store, { monitors, box, accounts, httpAllowed, clock }: ChannelRooms) {
    this.#store = store.alerts;
    this.#locations = store.state.locations;
    this.#monitors = monitors;
    this.#box = box;
    this.#accounts = accounts;
    this.#httpAllowed = httpAllowed;
    this.#clock = clock;
  }

  async create(wanted: WantedChannel): Promise<ChannelRow> {
    return this.get(String(await this.#store.channels.create(await this.#made(wanted))));
  }

  /** The same, and it is notified of the incidents that are open. */
  async createAnnouncing(wanted: WantedChannel): Promise<AnnouncedChannel> {
    return this.#store.channels.createAnnouncing(await this.#made(wanted));
  }

  async #made(wanted: WantedChannel): Promise<NewChannel> {
    const { provider, monitorIds, signingSecret = null } = wanted;
    const secrets = signingSecret === null ? [] : [signingSecret];
    const configuration = this.#sendable(provider, wanted.given, null, secrets);
    const name = this.#named(wanted.name, provider);
    const monitors = await existingMonitors(this.#monitors, monitorIds);
    await refuseUnknownLocations(this.#locations, wanted.rules);
    if ((await this.count()) >= limits.serviceChannelsMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceChannelsMax} notification channels already`,
        because("NOTIFICATION_LIMIT_REACHED", { limit: String(limits.serviceChannelsMax) }),
      );
    const uid = randomUUID();
    return {
      uid,
      name,
      provider,
      ...this.#sealed(configuration, uid),
      rules: wanted.rules ?? usualRules(provider),
      monitors,
      owner: "",
      labels: {},
      at: this.#clock.wall(),
    };
  }

  async update(id: string, changes: ChannelChanges): Promise<ChannelRow> {
    const row = await this.get(id);
    const { configured, monitorIds, rules } = changes;
    if (configured !== null && configured.provider !== row.provider)
      throw invalidData(
        "data",
        `is of ${configured.provider}, and the channel's provider is ${row.provider}: make another channel`,
      );
    await refuseUnknownLocations(this.#locations, rules);
    if (changes.isOlder && row.rules.allMonitors && monitorIds !== null)
      refuseLacking(row.monitors, monitorIds);
    const known = await this.#store.channels.update(row.id, {
      name: changes.name === null ? null : this.#named(changes.name, row.provider),
      secret: this.#resealed(row, changes),
      rules: keptForAll(row, rules, changes.isOlder),
      monitors: monitorIds === null ? null : await existingMonitors(this.#monitors, monitorIds),
      ownership: null,
      at: this.#clock.wall(),
    });
    if (!known) throw noChannel(id);
    return this.get(id);
  }

  async delete(id: string): Promise<void> {
    const known = integerOf(id);
    if (known === null || !(await this.#store.channels.delete(channelId(known))))
      throw noChannel(id);
  }

  async get(id: string): Promise<ChannelRow> {
    const known = integerOf(id);
    const row = known === null ? null : await this.#store.channels.get(channelId(known));
    if (row === null) throw noChannel(id);
    return row;
  }

  list(limit: number, offset: number): Promise<readonly ChannelRow[]> {
    return this.#store.channels.list({ limit, offset });
  }

  count(): Promise<number> {
    return this.#store.channels.count();
  }

  /** With its configuration; null if the key that sealed it is not there. */
  opened({ id, uid, name, provider, sealed }: ChannelHead): Channel | null {
    const text = this.#box.open(sealed, purposeOf(uid));
    return text === null ? null : channelWith(String(id), name, provider, JSON.parse(text));
  }

  /** A channel that is not kept, for a test of it; one that is there signs its test as it signs everything. */
  unkept(
    provider: Provider,
    given: ChannelArguments,
    row: ChannelRow | null = null,
    secrets: readonly string[] = this.#signingSecrets(row),
  ): Channel {
    const configuration = this.#configured(provider, given, secrets);
    return channelWith("", row?.name ?? rulesOf(provider).label, provider, configuration);
  }

  /** What the service lacks for a provider, as a sentence; null if it lacks nothing. */
  lacking(provider: Provider): string | null {
    return rulesOf(provider).lacks(this.#accounts);
  }

  /** What is kept of a configuration in place of it; of a channel that is there, its signing secrets stay. */
  sealed(
    provider: Provider,
    given: ChannelArguments,
    row: ChannelRow | null,
  ): { readonly uid: string; readonly secret: ChannelSecret } {
    const secrets = this.#signingSecrets(row);
    const uid = row?.uid ?? randomUUID();
    return { uid, secret: this.#sealed(this.#sendable(provider, given, row, secrets), uid) };
  }

  #signingSecrets(row: ChannelRow | null): readonly string[] {
    const before = row === null ? null : this.opened(row);
    return before?.provider === "webhook" ? before.configuration.signingSecrets : [];
  }

  /** Why each of these cannot send, as a sentence; empty for those that can, as far as is known. */
  async troubles(rows: readonly ChannelRow[]): Promise<ReadonlyMap<number, string>> {
    const [lanes, lost] = await Promise.all([
      this.#store.deliveries.lanes(rows.map(({ id }) => id)),
      placeless(this.#locations, rows),
    ]);
    return new Map(
      rows.map((row) => {
        if (this.opened(row) === null) return [row.id, sealedElsewhere];
        if (lost.has(row.id)) return [row.id, everyLocationDeleted];
        const lacking = rulesOf(row.provider).lacks(this.#accounts);
        return [row.id, lacking ?? lanes.get(row.id)?.failing?.message ?? ""];
      }),
    );
  }

  /** The provider says that the channel lives elsewhere now. */
  async moved(id: number, configuration: Configuration): Promise<void> {
    const row = await this.#store.channels.get(channelId(id));
    if (row === null) return;
    const secret = this.#sealed(configuration, row.uid);
    const at = this.#clock.wall();
    const nothing = { name: null, rules: null, monitors: null, ownership: null };
    await this.#store.channels.update(row.id, { ...nothing, secret, at });
  }

  #sealed(configuration: Configuration, uid: string): ChannelSecret {
    // Secrets of ours are in it in addition to what a person wrote, and say nothing of that.
    const { signingSecrets: _ours, ...written } = { signingSecrets: [], ...configuration };
    return {
      sealed: this.#box.seal(JSON.stringify(configuration), purposeOf(uid)),
      fingerprint: this.#box.fingerprint(JSON.stringify(written)),
    };
  }

  #resealed(row: ChannelRow, { configured, rotate }: ChannelChanges): ChannelSecret | null {
    if (configured === null && !rotate) return null;
    const before = this.opened(row);
    const secrets = this.#signingSecrets(row);
    const kept = rotate ? [newSigningSecret(), ...secrets].slice(0, 2) : secrets;
    if (configured !== null)
      return this.#sealed(this.#sendable(row.provider, configured.given, row, kept), row.uid);
    if (before?.provider !== "webhook")
      throw invalidData("rotate_signing_secret", "is for webhooks alone");
    return this.#sealed({ ...before.configuration, signingSecrets: kept }, row.uid);
  }

  /** Why nothing could ever be sent to what is given; null if that is not known, and of a URL that the channel has. */
  unsendable(configuration: Configuration, row: ChannelRow | null): Mistake | null {
    const before = row === null ? null : this.opened(row);
    const had = before === null ? null : urlIn(before.configuration);
    if (had !== null && had.url === urlIn(configuration)?.url) return null;
    return unsendableUrl(configuration, this.#httpAllowed);
  }

  #sendable(
    provider: Provider,
    given: ChannelArguments,
    row: ChannelRow | null,
    secrets: readonly string[],
  ): Configuration {
    const configuration = this.#configured(provider, given, secrets);
    const wrong = this.unsendable(configuration, row);
    if (wrong !== null) throw invalidData(wrong.field, wrong.message);
    return configuration;
  }

  #configured(
    provider: Provider,
    given: ChannelArguments,
    secrets: readonly string[],
  ): Configuration {
    const lacking = this.lacking(provider);
    if (lacking !== null)
      throw new Refusal(
        "failed_precondition",
        lacking,
        because("PROVIDER_NOT_SUPPORTED", { provider }),
      );
    const read = configurationIn(provider, given);
    if (!read.ok) {
      const [first] = read.mistakes;
      const all = read.mistakes.map(({ field, message }) => `${field} ${message}`);
      throw new Refusal(
        "invalid_argument",
        all.slice(0, checkLimits.mistakesShownMax).join("; "),
        because("INVALID_NOTIFICATION_DATA", { provider, field: first?.field ?? "" }),
      );
    }
    if (!("signingSecrets" in read.configuration)) return read.configuration;
    const signingSecrets = secrets.length === 0 ? [newSigningSecret()] : secrets;
    return { ...read.configuration, signingSecrets };
  }

  /** Without a name it is called by the word of its provider: files find by it what a call made. */
  #named(name: string, provider: Provider): string {
    const [fault] = channelNameFaults(name);
    if (fault !== undefined) throw invalidData(fault.field, fault.message);
    return name === "" ? provider : name;
  }
}

const purposeOf = (uid: string): string => `notification channel ${uid}`;

export const sealedElsewhere =
  "the key that sealed this channel is not the service's: put the key file of the backup back, or give the channel its data again";

const noChannel = (id: string): Refusal =>
  absent("notification", id, {
    reason: "NOTIFICATION_NOT_FOUND",
    facts: { "notification-id": id },
    withoutId: "NOTIFICATION_ID_REQUIRED",
  });
