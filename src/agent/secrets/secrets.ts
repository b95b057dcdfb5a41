import { SecretEcho } from "#check/secret-echo";
import { mayReceive, type SecretReceiver } from "#agent/secrets/secret-hosts";
import type { KnownSecret, SecretTable } from "#agent/secrets/secret-table";
import { failure, type Failure } from "#check/failure";
import { filledText, referenceMistake, secretNamesIn } from "#check/secret-placeholder";
import { capital } from "#base/text";
import { showHostPort } from "#network/host-port";

/** A text with its secrets, or why it may not have them. */
export type Filling<T> =
  | { readonly ok: true; readonly value: T; readonly echoes: readonly SecretEcho[] }
  | { readonly ok: false; readonly failure: Failure };

/** The secrets of a location, as one thread has them. Without a table, texts are sent as they are. */
export class Secrets {
  #table: SecretTable | null;
  /** What takes a secret out of answers, made once for each. */
  readonly #echoes = new WeakMap<KnownSecret, SecretEcho>();
  /** By the names of the secrets. */
  readonly #lists = new Map<string, readonly SecretEcho[]>();

  constructor(table: SecretTable | null) {
    this.#table = table;
  }

  /** Null if the location keeps none; another one as soon as one has changed. */
  get table(): SecretTable | null {
    return this.#table;
  }

  /** From now on, these. */
  replace(table: SecretTable | null): void {
    this.#table = table;
    // They are of the values that were: under the same names there are others now.
    this.#lists.clear();
  }

  /**
   * Puts the secrets of some texts that go to one receiver in: `fill` gets what does that. No text is filled unless all
   * that they name may go there.
   */
  fill<T>(
    texts: readonly string[],
    receiver: SecretReceiver,
    fill: (filled: (text: string, encoded?: (value: string) => string) => string) => T,
  ): Filling<T> {
    const mistake = texts.map(referenceMistake).find((one) => one !== null);
    if (mistake !== undefined) return refused(`A text of this monitor ${mistake}`);
    const known = new Map<string, KnownSecret>();
    for (const name of new Set(texts.flatMap(secretNamesIn))) {
      const secret = this.#table?.secrets.get(name);
      if (secret === undefined) return refused(this.#missing(name));
      if (!mayReceive(secret.hosts, receiver)) return refused(mayNot(name, secret, receiver));
      known.set(name, secret);
    }
    const valueOf = (name: string): string => known.get(name)?.value ?? "";
    const value = fill((text, encoded = (one) => one) =>
      filledText(text, (name) => encoded(valueOf(name))),
    );
    return { ok: true, value, echoes: this.#echoesOf(known) };
  }

  #missing(name: string): string {
    const why = this.#table?.unusable.get(name);
    const away = this.#table?.away ?? null;
    if (why === undefined && away !== null) return `This agent has no secret ${name}: ${away}`;
    return why === undefined
      ? `This agent has no secret ${name}: put it where PICKET_SECRETS_DIR says, as the file ${name}`
      : `The secret ${name} cannot be used: ${why}`;
  }

  /** The same list for all that have the same secrets. */
  #echoesOf(known: ReadonlyMap<string, KnownSecret>): readonly SecretEcho[] {
    return this.#lists.getOrInsertComputed([...known.keys()].join("\n"), () =>
      [...known.values()].map((secret) =>
        this.#echoes.getOrInsertComputed(secret, ({ value }) => new SecretEcho(value)),
      ),
    );
  }
}

/** The next step is the operator's: a service cannot say where secrets go. */
function mayNot(name: string, { hosts }: KnownSecret, receiver: SecretReceiver): string {
  const { host, port, verified } = receiver;
  const entry = `${verified ? "" : "http://"}${showHostPort(host, port)}`;
  if (hosts.length === 0)
    return `The secret ${name} may go to no host: write ${entry} into ${name}.hosts, if it is meant for that`;
  const named = hosts.map(({ text }) => text).join(", ");
  const unsafe = verified ? "" : " without a verified TLS connection";
  return `The secret ${name} may not go to ${showHostPort(host, port)}${unsafe}, but to ${named}: add ${entry} to ${name}.hosts, if it is meant for that`;
}

/** Like a mistake of configuration: the target has no part in it, and it is the same at the next attempt. */
export const refused = (message: string): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: failure("agent_error", "config", capital(message)),
});
