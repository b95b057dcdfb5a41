import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import type { DkimKey, SmtpAccount } from "#service/notify/accounts";
import { readAgain } from "#service/edge/reading-again";
import type { SecretBox } from "#service/edge/secret-box";
import { mailServerSetting, type Settings } from "#service/store/state-store";

/** What an owner says of a mail server on the pages. */
export type GivenServer = Pick<SmtpAccount, "host" | "port" | "tls" | "login" | "from">;

interface KnownServer {
  /** The one of the environment, as a whole; null if it names none. */
  readonly setting: SmtpAccount | null;
  /** What signs the mails of either. */
  readonly dkim: DkimKey | null;
}

/**
 * By which server the service sends mails: the environment's, else the one that an owner gave on the pages. It may change at
 * any time, so whoever needs it reads it then: the same server is the same object.
 */
export class MailServer {
  readonly #settings: Pick<Settings, "all" | "put" | "remove">;
  readonly #box: Pick<SecretBox, "seal" | "open">;
  readonly #known: KnownServer;
  /** As it is kept; empty if none is. */
  #sealed = "";
  #given: SmtpAccount | null = null;
  #changes = 0;

  constructor(
    settings: Pick<Settings, "all" | "put" | "remove">,
    box: Pick<SecretBox, "seal" | "open">,
    known: KnownServer,
  ) {
    this.#settings = settings;
    this.#box = box;
    this.#known = known;
  }

  /** Null if none is set, or if only another key opens what is kept. */
  get account(): SmtpAccount | null {
    return this.#known.setting ?? this.#given;
  }

  /** Whether the environment says it, so that no page can change it. */
  get isSetting(): boolean {
    return this.#known.setting !== null;
  }

  /** Whether one is kept that the service's key does not open. */
  get isLost(): boolean {
    return this.#sealed !== "" && this.#given === null;
  }

  /** The account of what an owner says, kept or not. */
  accountOf(given: GivenServer): SmtpAccount {
    return { ...given, dkim: this.#known.dkim, isGiven: true };
  }

  /** Null takes it away. */
  async change(given: GivenServer | null): Promise<void> {
    const sealed = given === null ? "" : this.#box.seal(JSON.stringify(given), purpose);
    if (given === null) await this.#settings.remove(mailServerSetting);
    else await this.#settings.put(mailServerSetting, sealed);
    this.#changes += 1;
    this.#take(sealed);
  }

  async read(): Promise<void> {
    const changes = this.#changes;
    const sealed = (await this.#settings.all()).get(mailServerSetting) ?? "";
    // What was read before a change here may be the server of before.
    if (changes === this.#changes) this.#take(sealed);
  }

  /** Reads again and again what an owner may have changed at another replica. */
  run(clock: Clock, signal: AbortSignal): Promise<void> {
    return readAgain(() => this.read(), limits.mailServerReadEvery, clock, signal);
  }

  #take(sealed: string): void {
    if (sealed === this.#sealed) return;
    this.#sealed = sealed;
    const given = givenIn(this.#box, sealed);
    this.#given = given === null ? null : this.accountOf(given);
  }
}

function givenIn(box: Pick<SecretBox, "open">, sealed: string): GivenServer | null {
  const text = box.open(sealed, purpose);
  if (text === null) return null;
  const given: GivenServer = JSON.parse(text);
  return given;
}

const purpose = "mail server";
