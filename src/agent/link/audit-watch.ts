import {
  type AuditFault,
  type AuditHead,
  type AuditMemory,
  type KeptAudit,
  nothingKept,
} from "#agent/state/audit-file";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { thrownText } from "#base/text";
import * as limits from "#limits/agent-limits";
import { chainAfter } from "#machine/hash-chain";
import type { AuditProof } from "#transport/control-plane";

/** What a heartbeat says of it, so that the service's own pages show it. */
export const auditRemarks = ({ fault }: KeptAudit): readonly string[] =>
  fault === null
    ? []
    : [
        `${fault.sentence}; if a backup was restored, run picket audit accept where this agent runs`,
      ];

interface AuditTools {
  readonly memory: AuditMemory;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Keeps how far the service's audit log was, and compares each heartbeat's answer with it. So a service whose log was
 * shortened or written anew is caught by every agent that it has.
 */
export class AuditWatch {
  readonly #tools: AuditTools;
  #kept: KeptAudit;
  #cannotKeep = false;
  /** Answers without a log, in a row. */
  #absences = 0;

  constructor(tools: AuditTools) {
    this.#tools = tools;
    this.#kept = loaded(tools);
    const { fault } = this.#kept;
    if (fault !== null) this.#say(fault);
  }

  /** The newest entry that the agent knows; 0 if there is none. A heartbeat asks for the hashes since then. */
  get known(): number {
    return this.#kept.head?.number ?? 0;
  }

  /** The head of the chain that is kept, and what is wrong with the log; null while nothing is known. */
  get status(): KeptAudit {
    return this.#kept;
  }

  /** A service answered a heartbeat that named `known`. Null: it shows no audit log. */
  heard(proof: AuditProof | null, known: number): void {
    if (this.#isAccepted()) this.#accept(proof);
    // Of two heartbeats that were under way, the second was asked before the first was answered.
    else if (known === this.known && this.#kept.fault === null && !this.#isExcused(proof))
      this.#compare(proof);
  }

  /** While a service is updated some heartbeats are answered by replicas that show no log yet. */
  #isExcused(proof: AuditProof | null): boolean {
    this.#absences = proof === null && this.#kept.head !== null ? this.#absences + 1 : 0;
    return this.#absences > 0 && this.#absences < limits.auditAbsencesMax;
  }

  #compare(proof: AuditProof | null): void {
    const { head } = this.#kept;
    if (head === null) {
      if (proof !== null && proof.chain !== "") this.#keep({ head: headOf(proof), fault: null });
      return;
    }
    const sentence = faultOf(head, proof);
    if (sentence !== null) {
      const fault = { sentence, at: this.#tools.clock.wall() };
      this.#keep({ head, fault });
      this.#say(fault);
    } else if (proof !== null && proof.number > head.number)
      this.#keep({ head: headOf(proof), fault: null });
  }

  #isAccepted(): boolean {
    try {
      return this.#tools.memory.takeAcceptance();
    } catch {
      return false;
    }
  }

  #accept(proof: AuditProof | null): void {
    const { head, fault } = this.#kept;
    this.#tools.log.warn("the operator accepted the service's audit log as it is", {
      "entries known before": head?.number ?? 0,
      "head known before": head?.chain ?? "",
      "entries now": proof?.number ?? 0,
      fault: fault?.sentence ?? "",
    });
    this.#keep(nothingKept);
    this.#compare(proof);
  }

  #keep(kept: KeptAudit): void {
    this.#kept = kept;
    try {
      this.#tools.memory.save(kept);
      this.#cannotKeep = false;
    } catch (error) {
      if (!this.#cannotKeep)
        this.#tools.log.warn(
          "how far the service's audit log is cannot be kept: after a restart nothing is compared",
          { "error.message": thrownText(error) },
        );
      this.#cannotKeep = true;
    }
  }

  #say({ sentence }: AuditFault): void {
    this.#tools.log.error(
      `${sentence}: find out why. If a backup was restored, run picket audit accept where this agent runs`,
      { "entries known": this.known, "head known": this.#kept.head?.chain ?? "" },
    );
  }
}

function loaded({ memory, log }: AuditTools): KeptAudit {
  try {
    return memory.load();
  } catch (error) {
    log.warn("how far the service's audit log was cannot be read: nothing is compared", {
      "error.message": thrownText(error),
    });
    return nothingKept;
  }
}

const headOf = ({ number, chain }: AuditProof): AuditHead => ({ number, chain });

/** Null if the log is as it was, or only longer. */
function faultOf(head: AuditHead, proof: AuditProof | null): string | null {
  if (proof === null)
    return `the service no longer shows its audit log, of which this agent knows ${entries(head.number)}`;
  if (proof.number < head.number)
    return `the service's audit log is shorter than it was: it has ${entries(proof.number)}, and had ${head.number}`;
  const end = proof.hashes.reduce(chainAfter, head.chain);
  const isLongerBy = proof.number - head.number;
  return isLongerBy === proof.hashes.length && end === proof.chain
    ? null
    : `the service's audit log was written anew: it does not continue from entry ${head.number}, which this agent knows`;
}

const entries = (count: number): string => (count === 1 ? "1 entry" : `${count} entries`);
