import type { Clock } from "#base/clock";
import * as limits from "#limits/alerts-limits";
import type { DkimKey, SmtpAccount } from "#service/notify/accounts";
import { readAgain } from "#service/edge/reading-again";
import type { SecretBox } from "#service/edge/secret-box";
import {
  type KeptMailServer,
  keptMailServer,
  mailServerSetting,
} from "#service/store/kept-mail-server";
import type { Settings } from "#service/store/state-store";

/** What an owner says of a mail server on the pages. */
export type GivenServer = Pick<SmtpAccount, "host" | "port" | "tls" | "login" | "from">;

type Box = Pick<SecretBox, "seal" | "open" | "fingerprint">;

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
  readonly #box: Box;
  readonly #known: KnownServer;
  /** As it is kept; empty if none is. */
  #kept = "";
  #given: SmtpAccount | null = null;
  #changes = 0;

  constructor(settings: Pick<Settings, "all" | "put" | "remove">, box: Box, known: KnownServer) {
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

  /** Whether one is kept whose password the service's key does not open. */
  get isLost(): boolean {
    return this.#kept !== "" && this.#given === null;
  }

  /** The account of what an owner says, kept or not. */
  accountOf(given: GivenServer): SmtpAccount {
    return { ...given, dkim: this.#known.dkim, isGiven: true };
  }

  /** Null takes it away. */
  async change(given: GivenServer | null): Promise<void> {
    const kept = given === null ? "" : keptOf(given, this.#box);
    if (given === null) await this.#settings.remove(mailServerSetting);
    else await this.#settings.put(mailServerSetting, kept);
    this.#changes += 1;
    this.#take(kept);
  }

  async read(): Promise<void> {
    const changes = this.#changes;
    const kept = (await this.#settings.all()).get(mailServerSetting) ?? "";
    // What was read before a change here may be the server of before.
    if (changes === this.#changes) this.#take(kept);
  }

  /** Reads again and again what an owner may have changed at another replica. */
  run(clock: Clock, signal: AbortSignal): Promise<void> {
    return readAgain(() => this.read(), limits.mailServerReadEvery, clock, signal);
  }

  #take(kept: string): void {
    if (kept === this.#kept) return;
    this.#kept = kept;
    const given = kept === "" ? null : givenIn(kept, this.#box);
    this.#given = given === null ? null : this.accountOf(given);
  }
}

function keptOf({ host, port, tls, login, from }: GivenServer, box: Box): string {
  const server = { host, port, security: tls, user: login?.user ?? "", sender: from };
  const kept: KeptMailServer = {
    ...server,
    sealed: login === null ? "" : box.seal(login.password, purposeOf(server)),
    fingerprint: login === null ? "" : box.fingerprint(login.password),
  };
  return JSON.stringify(kept);
}

/** Null if the key that sealed the password is not there, or if it was sealed for another server. */
function givenIn(text: string, box: Box): GivenServer | null {
  const kept = keptMailServer(text);
  const { host, port, security: tls, user, sender: from, sealed } = kept;
  if (user === "") return { host, port, tls, login: null, from };
  const password = box.open(sealed, purposeOf(kept));
  return password === null ? null : { host, port, tls, login: { user, password }, from };
}

/** Whoever changes the host in the database does not get the password. */
const purposeOf = ({
  host,
  port,
  security,
  user,
}: Pick<KeptMailServer, "host" | "port" | "security" | "user">): string =>
  `mail server ${JSON.stringify([host, port, security, user])}`;
