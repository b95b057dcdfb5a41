import type { Findings } from "#check/findings";
import type { Header } from "#check/monitor";
import * as limits from "#limits/check-limits";

/** Says what is to become of a header that no client can send. */
type ReportMistake = (field: string, message: string) => void;

/**
 * Reads the headers of a monitor's request. What no client can send is a mistake at either door: without a header that
 * its author wanted, the request is another one, and its answer is not what was asked for.
 */
export function readHeaders(headers: readonly Header[], findings: Findings): readonly Header[] {
  findings.checkCount("headers", headers.length, limits.headersMax);
  return sendable("headers", headers, findings, (field, message) =>
    findings.violate(field, message, "invalid_header"),
  );
}

/** Reads the headers of a monitor's metrics: telemetry never fails a check, so a mistake costs the one header. */
export function readOtlpHeaders(headers: readonly Header[], findings: Findings): readonly Header[] {
  findings.checkCount("otlp_headers", headers.length, limits.headersMax);
  return sendable("otlp_headers", headers, findings, (field, message) =>
    findings.tolerate(field, message, notSent, "invalid_header"),
  );
}

const notSent = "the header is not sent";

function sendable(
  field: string,
  headers: readonly Header[],
  findings: Findings,
  mistaken: ReportMistake,
): readonly Header[] {
  return headers.filter((header, index) => {
    const at = `${field}[${index}]`;
    if (!isWanted(header, at, findings)) return false;
    const wrong = headerMistake(header);
    if (wrong === null) return true;
    mistaken(`${at}.${wrong.part}`, wrong.message);
    return false;
  });
}

/** A row without a name names no header, and what belongs to the framing is Picket's. */
function isWanted({ key, value }: Header, at: string, findings: Findings): boolean {
  const tolerate = (part: string, message: string): boolean => {
    findings.tolerate(`${at}.${part}`, message, notSent, "invalid_header");
    return false;
  };
  const name = key.toLowerCase();
  if (key === "") return tolerate("key", "is required");
  if (framingHeaders.has(name)) return tolerate("key", `${key} is set by Picket itself`);
  if (name === "connection" && !/^(close|keep-alive)$/i.test(value))
    return tolerate("value", "of Connection can only be close or keep-alive");
  return true;
}

/** RFC 9110 §7.6.1 and §6.6: these belong to one connection or to the framing, which are Picket's. */
export const framingHeaders: ReadonlySet<string> = new Set([
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

interface HeaderMistake {
  readonly part: "key" | "value";
  readonly message: string;
}

/** Why no client can send a header; null if it can. */
export function headerMistake({ key, value }: Header): HeaderMistake | null {
  if (!isToken(key)) return { part: "key", message: "is not a valid header name" };
  if (!isFieldValue(value))
    return {
      part: "value",
      message: "holds a line break or another character that is not allowed in a header",
    };
  if (new TextEncoder().encode(value).length > limits.headerValueBytesMax)
    return { part: "value", message: `is longer than ${limits.headerValueBytesMax} bytes` };
  return null;
}

/** RFC 9110 §5.6.2. */
export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** RFC 9110 §5.5: no control character but the tab. What is beyond ASCII is sent as UTF-8, as curl and Go send it. */
const isFieldValue = (text: string): boolean =>
  // eslint-disable-next-line no-control-regex -- these are the characters looked for.
  text.isWellFormed() && !/[\x00-\x08\x0a-\x1f\x7f]/.test(text);
