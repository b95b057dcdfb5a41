import type { Clock } from "#base/clock";
import * as limits from "#limits/pages-limits";
import type { ServiceName } from "#service/notify/event-facts";
import { readAgain } from "#service/edge/reading-again";
import { publicAddressSetting, type Settings } from "#service/store/state-store";

interface KnownAddresses {
  /** What PICKET_SERVICE_PUBLIC_URL says; null if it is not set. */
  readonly setting: string | null;
  /** Where messages lead without a public address: to a service on its own machine; null for every other. */
  readonly local: string | null;
}

/**
 * The service's address as people open it: the setting's, else the one that an owner gave on the pages. It may change at
 * any time, so whoever needs it reads it then.
 */
export class PublicAddress {
  readonly #settings: Pick<Settings, "all" | "put" | "remove">;
  readonly #known: KnownAddresses;
  #given: string | null = null;
  #changes = 0;

  constructor(settings: Pick<Settings, "all" | "put" | "remove">, known: KnownAddresses) {
    this.#settings = settings;
    this.#known = known;
  }

  /** With a slash at its end; null if none is known. */
  get url(): string | null {
    return this.#known.setting ?? this.#given;
  }

  /** Where messages lead. */
  get linkUrl(): string | null {
    return this.url ?? this.localUrl;
  }

  /** Where messages lead while no public address is known; null if nowhere. */
  get localUrl(): string | null {
    return this.#known.local;
  }

  /** Whether the setting says it, so that no page can change it. */
  get isSetting(): boolean {
    return this.#known.setting !== null;
  }

  /** Null takes it away. */
  async change(url: string | null): Promise<void> {
    if (url === null) await this.#settings.remove(publicAddressSetting);
    else await this.#settings.put(publicAddressSetting, url);
    this.#given = url;
    this.#changes += 1;
  }

  async read(): Promise<void> {
    const changes = this.#changes;
    const stored = (await this.#settings.all()).get(publicAddressSetting) ?? "";
    // What was read before a change here may be the address of before.
    if (changes === this.#changes) this.#given = publicAddressIn(stored);
  }

  /** Reads again and again what an owner may have changed at another replica. */
  run(clock: Clock, signal: AbortSignal): Promise<void> {
    return readAgain(() => this.read(), limits.publicAddressReadEvery, clock, signal);
  }
}

/** The service as messages name it: with the address of the moment in which one is written. */
export const serviceNamed = (
  name: string,
  address: Pick<PublicAddress, "linkUrl">,
): ServiceName => ({
  name,
  get url() {
    return address.linkUrl;
  },
});

/** Whether a host, with or without a port, has no character that a shell reads: people paste addresses into one. */
export const isPlainHost = (host: string): boolean => /^[\w.:[\]-]+$/.test(host);

/**
 * An address as a person types it, with a slash at its end; null if it is none that a browser could open, or if its host
 * is not plain.
 */
export function publicAddressIn(typed: string): string | null {
  const url = URL.parse(typed.trim());
  if (url === null || typed.length > limits.publicAddressCharsMax) return null;
  const { protocol, host, pathname, search, hash, username, password, origin } = url;
  if ((protocol !== "http:" && protocol !== "https:") || !isPlainHost(host)) return null;
  return `${pathname}${search}${hash}${username}${password}` === "/" ? `${origin}/` : null;
}
