import type { Clock } from "#base/clock";
import type { EpochMillis } from "#base/units";
import { between } from "#base/units";
import * as limits from "#limits/status-limits";
import {
  type DomainLead,
  domainLeads,
  isReserved,
  type LookUp,
} from "#service/status-site/domain-look-up";

interface Look {
  readonly at: EpochMillis;
  readonly lead: Promise<DomainLead>;
}

/** Where domains of status pages lead, as DNS said it a moment ago: a page that is loaded again and again asks once. */
export class DomainLooks {
  readonly #clock: Clock;
  readonly #lookUp: LookUp;
  readonly #kept = new Map<string, Look>();
  #underWay = 0;

  constructor(clock: Clock, lookUp: LookUp) {
    this.#clock = clock;
    this.#lookUp = lookUp;
  }

  leadOf(domain: string, serviceUrl: string | null): Promise<DomainLead> {
    if (isReserved(domain)) return Promise.resolve({ is: "nowhere" });
    const at = this.#clock.wall();
    const key = `${domain} ${serviceUrl ?? ""}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && between(kept.at, at) < limits.domainLeadFreshFor) return kept.lead;
    const lead = this.#look(domain, serviceUrl);
    this.#kept.delete(key);
    this.#kept.set(key, { at, lead });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.domainLeadsKeptMax && oldest !== undefined)
      this.#kept.delete(oldest);
    return lead;
  }

  async #look(domain: string, serviceUrl: string | null): Promise<DomainLead> {
    const [lead] = await domainLeads([domain], serviceUrl, {
      clock: this.#clock,
      lookUp: (host) => this.#bounded(host),
      within: limits.domainLookUpTimeout,
    });
    return lead ?? { is: "unknown" };
  }

  /** What hangs keeps a thread of the runtime, which has four for everything. */
  async #bounded(host: string): Promise<readonly string[]> {
    if (this.#underWay >= limits.domainLookUpsAtOnce) throw new Error("too many look-ups");
    this.#underWay += 1;
    try {
      return await this.#lookUp(host);
    } finally {
      this.#underWay -= 1;
    }
  }
}
