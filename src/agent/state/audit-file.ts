import { existsSync, rmSync } from "node:fs";
import type { StateDirectory } from "#agent/state/state-directory";
import { jsonFields } from "#base/json";
import { epochMillis, type EpochMillis } from "#base/units";
import { hashOfText } from "#machine/hash-chain";
import { keepText, keptText } from "#machine/kept-text";

/** The newest entry of a service's audit log that this agent was shown, and the head of the chain there. */
export interface AuditHead {
  readonly number: number;
  readonly chain: string;
}

/** What was found wrong with it, without a full stop. It stays until the operator accepts the log as it is. */
export interface AuditFault {
  readonly sentence: string;
  readonly at: EpochMillis;
}

export interface KeptAudit {
  readonly head: AuditHead | null;
  readonly fault: AuditFault | null;
}

/** Where an agent keeps them. Each call may throw what the file system says. */
export interface AuditMemory {
  load(): KeptAudit;
  save(kept: KeptAudit): void;
  /** Whether the operator has accepted the log as it is; asked once for each time that they did. */
  takeAcceptance(): boolean;
}

export const nothingKept: KeptAudit = { head: null, fault: null };

/** Keeps nothing: for an agent without a state directory. */
export const noAuditMemory: AuditMemory = {
  load: () => nothingKept,
  save: () => {},
  takeAcceptance: () => false,
};

/** One small file. What was kept of another service is nothing, so the service's address is compared. */
export function auditMemory(state: StateDirectory, serviceUrl: string): AuditMemory {
  const [file, accepted] = [state.file(auditFileName), state.file(acceptedFileName)];
  if (file === null || accepted === null) return noAuditMemory;
  const service = hashOfText(serviceUrl);
  return {
    load: () => {
      const kept = readAuditFile(file);
      if (kept === null || kept.service !== service) return nothingKept;
      return { head: kept.head, fault: kept.fault };
    },
    save: ({ head, fault }) => keepText(file, JSON.stringify({ service, head, fault })),
    takeAcceptance: () => {
      if (!existsSync(accepted)) return false;
      rmSync(accepted, { force: true });
      return true;
    },
  };
}

/** Next to each other in the state directory; `picket audit accept` makes the second. */
export const auditFileName = "audit-head.json";
export const acceptedFileName = "audit-accepted";

/** Null if there is none, or none that can be read. */
export function readAuditFile(file: string): (KeptAudit & { readonly service: string }) | null {
  const text = keptText(file);
  if (text === null) return null;
  const { service, head, fault } = jsonFields(text);
  return typeof service === "string"
    ? { service, head: headIn(head), fault: faultIn(fault) }
    : null;
}

function headIn(value: unknown): AuditHead | null {
  const { number, chain } = fieldsOf(value);
  return typeof number === "number" && Number.isSafeInteger(number) && typeof chain === "string"
    ? { number, chain }
    : null;
}

function faultIn(value: unknown): AuditFault | null {
  const { sentence, at } = fieldsOf(value);
  return typeof sentence === "string" && typeof at === "number" && Number.isFinite(at)
    ? { sentence, at: epochMillis(at) }
    : null;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};
