import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { addressDenial, namedDenial } from "#network/target-denial";
import type { Destination, TargetRule, TargetRules } from "#network/target-rules";

/** The addresses that may be dialled, and those that may not; when none may be, why. */
type ScreenResult =
  | { readonly ok: true; readonly addresses: readonly string[]; readonly denied: readonly string[] }
  | { readonly ok: false; readonly failure: Failure; readonly denied: readonly string[] };

/**
 * Decides which addresses may be dialled for a monitor. Whoever dials resolves once, shows the guard what came of it,
 * and dials exactly what it let through: a name that means something else a moment later gains nothing.
 */
export class TargetGuard {
  #rules: TargetRules;
  /** Whether a rule is about one kind or port: else these make no difference. */
  #scoped: boolean;
  /** What was said of a host at each address: the rules stay, and most targets are dialled again and again. */
  readonly #said = new Map<string, Map<string, string | null>>();
  #answers = 0;

  constructor(rules: TargetRules) {
    this.#rules = rules;
    this.#scoped = isScoped(rules);
  }

  /** From now on, these. */
  replace(rules: TargetRules): void {
    this.#rules = rules;
    this.#scoped = isScoped(rules);
    this.#forget();
  }

  /** Why a name may not even be looked up. Null lets its addresses decide; an address is its own, so for one it is null. */
  hostDenial(destination: Destination): Failure | null {
    const rule = namedDenial(destination, this.#rules);
    return rule === null ? null : denied(`${destination.host} is denied by ${rule.name}`);
  }

  /** Divides the addresses of a host, or the one address that the host is. */
  screen(destination: Destination, addresses: readonly string[]): ScreenResult {
    const { host } = destination;
    if (addresses.every((address) => this.#denialKept(destination, address) === null))
      return { ok: true, addresses, denied: [] };
    const judged = addresses.map((address) => ({
      address,
      why: this.#denialKept(destination, address),
    }));
    const allowed = judged.flatMap(({ address, why }) => (why === null ? [address] : []));
    const refused = judged.flatMap(({ address, why }) => (why === null ? [] : [{ address, why }]));
    const refusedAddresses = refused.map(({ address }) => address);
    const [first] = refused;
    if (allowed.length > 0 || first === undefined)
      return { ok: true, addresses: allowed, denied: refusedAddresses };
    const from = first.address === host ? "" : ` (${host})`;
    const more = refused.length > 1 ? `; none of ${refused.length} addresses is allowed` : "";
    return {
      ok: false,
      failure: denied(`${first.address}${from} is denied ${first.why}${more}`),
      denied: refusedAddresses,
    };
  }

  #denialKept(destination: Destination, text: string): string | null {
    const { kind, host, port } = destination;
    const key = this.#scoped ? `${kind} ${port} ${host}` : host;
    const known = this.#said.get(key)?.get(text);
    if (known !== undefined) return known;
    const said = addressDenial(destination, text, this.#rules);
    if (this.#answers >= limits.guardAnswersKeptMax) this.#forget();
    this.#said.getOrInsertComputed(key, () => new Map()).set(text, said);
    this.#answers += 1;
    return said;
  }

  #forget(): void {
    this.#said.clear();
    this.#answers = 0;
  }
}

const denied = (message: string): Failure => failure("target_denied", "policy", message);

const isScoped = ({ allow, deny }: TargetRules): boolean =>
  [...allow, ...deny].some(({ kind, port }: TargetRule) => kind !== null || port !== null);
