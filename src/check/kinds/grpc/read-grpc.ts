import * as kindsLimits from "#limits/kinds-limits";
import type { DefinitionOf } from "#check/definition";
import { type Findings, quoted } from "#check/findings";
import { type GrpcTarget, grpcTlsModes, type GrpcTlsMode } from "#check/kinds/grpc/grpc-monitor";
import { readUri } from "#check/kinds/reading";
import type { Header } from "#check/monitor";
import { framingHeaders, headerMistake } from "#check/read-headers";
import * as limits from "#limits/check-limits";
import { parseHostPort } from "#network/host-port";
import { type ParseResult, refused } from "#network/parsed";

export function readGrpcTarget(
  definition: DefinitionOf<"grpc">,
  findings: Findings,
): GrpcTarget | null {
  const server = readUri(parseGrpcUri, definition.uri, findings);
  const service = readService(definition.service, findings);
  const tlsMode = readTlsMode(definition.tlsMode, findings);
  const metadata = readMetadata(definition.metadata, findings);
  return server === null ? null : { kind: "grpc", ...server, service, tlsMode, metadata };
}

/** `host:port`, also behind `grpc://`. */
function parseGrpcUri(text: string): ParseResult<{ host: string; port: number }> {
  if (text === "") return refused("is required");
  if (text.length > limits.targetCharsMax)
    return refused(`is longer than ${limits.targetCharsMax} characters`);
  return parseHostPort(text.replace(/^grpcs?:\/\//i, "").replace(/\/$/, ""));
}

function readService(service: string, findings: Findings): string {
  if (service.length > kindsLimits.grpcServiceCharsMax)
    findings.violate("service", `is longer than ${kindsLimits.grpcServiceCharsMax} characters`);
  // eslint-disable-next-line no-control-regex -- these are the characters looked for.
  else if (/[\x00-\x1f\x7f]/.test(service) || !service.isWellFormed())
    findings.violate("service", "holds a control character or half of a letter");
  return service;
}

/** The existing service takes every other word for tls, and so does its agent. */
function readTlsMode(word: string, findings: Findings): GrpcTlsMode {
  const known = grpcTlsModes.find((one) => one === word);
  if (known !== undefined) return known;
  const message = `must be one of ${grpcTlsModes.join(", ")}, not ${quoted(word)}`;
  if (word !== "") findings.tolerate("tls_mode", message, "TLS is spoken and verified");
  return "tls";
}

const notSent = "it is not sent";

/** What belongs to the call itself is not for a monitor to say; the rest has to be what HTTP/2 can carry. */
function readMetadata(metadata: readonly Header[], findings: Findings): readonly Header[] {
  findings.checkCount("metadata", metadata.length, limits.headersMax);
  return metadata.flatMap(({ key, value }, index) => {
    const at = `metadata[${index}]`;
    const name = key.toLowerCase();
    if (isReserved(name)) {
      findings.tolerate(
        `${at}.key`,
        `${quoted(key)} is set by gRPC itself`,
        notSent,
        "invalid_header",
      );
      return [];
    }
    const wrong = metadataMistake({ key: name, value });
    if (wrong === null) return [{ key: name, value: value.trim() }];
    findings.tolerate(`${at}.${wrong.part}`, wrong.message, notSent, "invalid_header");
    return [];
  });
}

const isReserved = (name: string): boolean =>
  name.startsWith("grpc-") ||
  name.startsWith(":") ||
  name === "te" ||
  name === "content-type" ||
  name === "user-agent" ||
  name === "connection" ||
  framingHeaders.has(name);

function metadataMistake(entry: Header): ReturnType<typeof headerMistake> {
  if (!/^[0-9a-z_.-]+$/.test(entry.key))
    return { part: "key", message: "must have letters, digits, _, - and . only" };
  if (entry.key.endsWith("-bin") && !/^[A-Za-z0-9+/]*={0,2}$/.test(entry.value.trim()))
    return {
      part: "value",
      message: "must be base64, for example aGVsbG8=, as the name ends in -bin",
    };
  // https://grpc.github.io: a value is printable ASCII, and what is not goes under a name that ends in -bin.
  if (!/^[\x20-\x7e]*$/.test(entry.value))
    return {
      part: "value",
      message: "must be printable ASCII: other values go under a name that ends in -bin",
    };
  return headerMistake(entry);
}
