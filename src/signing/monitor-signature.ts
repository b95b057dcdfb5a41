import type { MonitorDefinition } from "#check/definition";
import * as limits from "#limits/signing-limits";
import { parsedJson } from "#base/json";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { type SignedFor, statementOfDefinition } from "#signing/monitor-statement";
import type { SigningKey } from "#signing/private-key";
import { fingerprintOf, publicKeyOf } from "#signing/public-key";
import {
  parseSshSignature,
  type SshSignature,
  sshSigned,
  sshVerified,
} from "#signing/ssh-signature";

/** A monitor's signature, with what it says in addition to the monitor itself. */
interface MonitorSignature extends SignedFor {
  readonly by: SshSignature;
}

/** `v1.SIGNED_AT.LOCATIONS.SIGNATURE`: epoch milliseconds, a JSON list in base64url, and SSH's in base64. */
export function parseMonitorSignature(text: string): ParseResult<MonitorSignature> {
  if (text.length > limits.signatureCharsMax)
    return refused(`is longer than ${limits.signatureCharsMax} characters`);
  const [, at = "", listed = "", base64 = ""] =
    /^v1\.(\d{1,15})\.([\w-]+)\.([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  if (at === "") return refused("is not one that picket apply --sign makes");
  const names: unknown = parsedJson(Buffer.from(listed, "base64url").toString());
  if (!Array.isArray(names) || !names.every((one) => typeof one === "string"))
    return refused("names no locations");
  const by = parseSshSignature(base64);
  if (!by.ok) return refused(by.message);
  return parsed({ signedAt: Number(at), locations: names, by: by.value });
}

/** Signs a monitor as it is written. */
export function signedMonitor(
  definition: MonitorDefinition,
  signed: SignedFor,
  key: SigningKey,
): string {
  const locations = signed.locations.toSorted();
  const statement = statementOfDefinition(definition, signed);
  const listed = Buffer.from(JSON.stringify(locations)).toString("base64url");
  return `v1.${signed.signedAt}.${listed}.${sshSigned(statement, key)}`;
}

/** Whose a signature is, where it counts and since when; whether they are trusted is for the agents to say. */
export function shownSignature(text: string): string {
  const signature = parseMonitorSignature(text);
  if (!signature.ok) return "none";
  const { by, locations, signedAt } = signature.value;
  const at = new Date(signedAt).toISOString();
  return `for ${locations.join(", ")}, by ${fingerprintOf(by.raw)}, ${at}`;
}

/** Why a signature is not of the monitor that has it, whoever signed, as the end of a sentence; null if it is, or there is none. */
export function signatureFault(definition: MonitorDefinition): string | null {
  if (definition.signature === "") return null;
  const signature = parseMonitorSignature(definition.signature);
  if (!signature.ok) return signature.message;
  const { by, ...signed } = signature.value;
  const statement = statementOfDefinition(definition, signed);
  return sshVerified(by, statement, publicKeyOf(by.raw))
    ? null
    : "is not of this monitor as it is written: sign it again with picket apply --sign";
}

/**
 * A monitor of a file with the signature that the service has of it, if that is as good as the one that is written: files
 * are applied again and again, and the same monitor is signed at another time each time, or not at all.
 */
export function keptSignature<D extends MonitorDefinition>(
  written: D,
  before: MonitorDefinition,
): D {
  if (before.signature === "" || before.signature === written.signature) return written;
  const kept = { ...written, signature: before.signature };
  const isOfIt = signatureFault(kept) === null;
  return isOfIt && (written.signature === "" || isAlike(written.signature, before.signature))
    ? kept
    : written;
}

/** Whether two signatures are by one key, for the same locations. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [parseMonitorSignature(one), parseMonitorSignature(other)];
  if (!a.ok || !b.ok) return false;
  const isFor = JSON.stringify(a.value.locations) === JSON.stringify(b.value.locations);
  return isFor && a.value.by.raw.equals(b.value.by.raw);
}
