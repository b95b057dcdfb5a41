import { covers } from "#network/address-block";
import { dialledAddress } from "#network/dialled-address";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { globMatches, hostKey, parseHostRule, type TargetRule } from "#network/target-rules";

/** Where the operator lets a secret go. */
export interface SecretHost {
  /** As it was written. */
  readonly text: string;
  /** Whether it may be sent without a verified TLS connection. */
  readonly plain: boolean;
  readonly rule: TargetRule;
  /** Null is any port. */
  readonly port: number | null;
}

/** Whom a request goes to. */
export interface SecretReceiver {
  readonly host: string;
  readonly port: number;
  /** Whether TLS is spoken and its certificate verified. */
  readonly verified: boolean;
}

/** `HOST` or `HOST:PORT`; behind `http://` or `grpc://` also for a connection that others on the way can read. */
export function parseSecretHost(text: string): ParseResult<SecretHost> {
  const [, scheme = "", rest = ""] = /^(?:(https?|grpcs?):\/\/)?(.*?)\/?$/i.exec(text) ?? [];
  const whole = parseHostRule(rest);
  if (whole !== null) return parsed({ text, plain: isPlain(scheme), rule: whole, port: null });
  const [, bracketed, name = "", digits] = /^(?:\[([^\]]*)\]|(.*)):(\d{1,5})$/.exec(rest) ?? [];
  const rule = parseHostRule(bracketed ?? name);
  const port = Number(digits);
  if (rule === null || !(port >= 1 && port <= 65_535))
    return refused(
      `has the entry ${JSON.stringify(text)}, which is not a host: write e.g. api.example.com, *.internal:8443, 10.0.0.0/8 or http://10.0.0.7`,
    );
  return parsed({ text, plain: isPlain(scheme), rule, port });
}

const isPlain = (scheme: string): boolean => /^(http|grpc)$/i.test(scheme);

/** Whether one of the entries lets a secret go there. */
export const mayReceive = (hosts: readonly SecretHost[], receiver: SecretReceiver): boolean =>
  hosts.some(
    ({ plain, port, rule }) =>
      (receiver.verified || plain) &&
      (port === null || port === receiver.port) &&
      isOf(rule, receiver.host),
  );

/** An address is compared with addresses, and a name with names: what a name resolves to is not the operator's word. */
function isOf(rule: TargetRule, host: string): boolean {
  const address = dialledAddress(host);
  if (rule.on === "address") return address !== null && covers(rule, address.dialled);
  return address === null && globMatches(rule.pattern, hostKey(host));
}
