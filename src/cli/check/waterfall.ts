import { figure, inMillis, phaseChart, sumOf } from "#cli/check/phase-chart";
import {
  type CertificateFacts,
  type DnsOutcome,
  type HttpOutcome,
  isUncertain,
  type Outcome,
  type TlsFacts,
} from "#check/outcome";
import { certificateLeft } from "#check/certificate-left";
import { remarksOf } from "#check/remark";
import type { Failure } from "#check/failure";
import type { Result } from "#check/result";
import { showHostPort } from "#network/host-port";
import { type EpochMillis, nanos } from "#units";
import { showText } from "#text";

/** One result for a person, under its target as it may be shown: the verdict, where the time went, and what was seen. */
export function waterfall(target: string, result: Result, colour: boolean): string {
  const lines = [headline(target, result, colour)];
  if (result.failure !== null) lines.push(`  ${showText(sentence(result.failure))}`);
  for (const remark of remarksOf(result)) lines.push(`  ${yellow(showText(remark), colour)}`);
  if (result.outcome !== null)
    lines.push("", ...timeLines(result.outcome, result), ...facts(result.outcome));
  if (result.attempts.length > 1) lines.push("", ...attemptLines(result));
  if (result.evaluations.length > 0) lines.push("", ...evaluationLines(result, colour));
  return `${lines.join("\n")}\n`;
}

const marks = {
  success: { sign: "✓", sgr: "\x1b[32m" },
  degraded: { sign: "!", sgr: "\x1b[33m" },
  error: { sign: "✗", sgr: "\x1b[31m" },
} as const;

function headline(target: string, { status, latency }: Result, colour: boolean): string {
  const { sign, sgr } = marks[status];
  const verdict = `${sign} ${status}`;
  return `${colour ? `${sgr}${verdict}\x1b[0m` : verdict}  ${showText(target)}  ${latency} ms`;
}

const yellow = (text: string, colour: boolean): string =>
  colour ? `${marks.degraded.sgr}${text}\x1b[0m` : text;

const sentence = ({ code, phase, message }: Failure): string => `${code} in ${phase}: ${message}`;

/** The bars of the attempt, the total, and how far to believe them. */
function timeLines(outcome: Outcome, { failure }: Result): readonly string[] {
  const { phases, total, errorBar } = outcome;
  const failed = failure?.phase ?? null;
  const bars =
    outcome.kind === "http" && outcome.hops.length > 1
      ? hopLines(outcome, failed)
      : phaseChart({ phases, before: nanos(0), whole: total, failed });
  const lines = [
    ...bars,
    figure("total", total),
    `${figure("±", errorBar)}  how far any figure may be off`,
  ];
  if (isUncertain(outcome)) lines.push(...uncertainty);
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

const uncertainty = [
  "This machine was too busy to be sure of these times: by the error bar they may be far from what",
  "the network did. Up or down holds; degraded needs a latency over the threshold by more than that.",
];

/** A chart for each request of a redirect chain, each bar where it lay in the whole attempt. */
function hopLines(
  { hops, total }: HttpOutcome,
  failed: Failure["phase"] | null,
): readonly string[] {
  let before = nanos(0);
  return hops.flatMap(({ url, statusCode, phases }, index) => {
    const elapsed = sumOf(phases);
    const title = `hop ${index + 1}: ${statusCode ?? "no status"} ${url}`;
    const here = index === hops.length - 1 ? failed : null;
    const chart = phaseChart({ phases, before, whole: total, failed: here });
    before = nanos(before + elapsed);
    return [showText(`${title}, ${inMillis(elapsed)}`), ...chart, ""];
  });
}

function facts(outcome: Outcome): readonly string[] {
  const lines = [
    ...answerLines(outcome),
    ...addressLines(outcome),
    ...(outcome.tls === null ? [] : tlsLines(outcome.tls, outcome.startedAt)),
  ];
  return lines.length === 0 ? [] : ["", ...lines.map((line) => `  ${showText(line)}`)];
}

function answerLines(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case "http":
      return httpLines(outcome);
    case "tcp":
      return [];
    case "dns":
      return dnsLines(outcome);
  }
}

function httpLines({ response }: HttpOutcome): readonly string[] {
  if (response === null) return [];
  const size = `${response.body.length} bytes${response.bodyCut ? " read, more came" : ""}`;
  const interim =
    response.informational.length === 0 ? "" : `, after ${response.informational.join(", ")}`;
  return [`HTTP/${response.version} ${response.statusCode}, ${size}${interim}`];
}

function dnsLines({
  server,
  rcode,
  transport,
  measuredBy,
  records,
}: DnsOutcome): readonly string[] {
  const over = transport === null ? "" : ` over ${transport}`;
  const by = measuredBy === null ? "" : `, measured by the ${measuredBy}`;
  const answer = server === null ? [] : [`${rcode ?? "no answer"} from ${server}${over}${by}`];
  return [...answer, ...records.map(({ type, value }) => `${type.padEnd(6)}${value}`)];
}

const addressLines = ({ addresses }: Outcome): readonly string[] =>
  addresses.map(
    ({ address, port, ended, elapsed, measuredBy }) =>
      `${showHostPort(address, port)} ${ended.replaceAll("_", " ")} after ${inMillis(elapsed)}, measured by the ${measuredBy}`,
  );

const tlsLines = (
  { protocol, cipher, alpn, certificate }: TlsFacts,
  now: EpochMillis,
): readonly string[] => [
  [protocol ?? "TLS", cipher, alpn].filter((part) => part !== null).join(" "),
  ...(certificate === null ? [] : certificateLines(certificate, now)),
];

/** Shown also when it was refused: most of all then. */
function certificateLines(
  { subject, altNames, issuer, validFrom, validTo, chain }: CertificateFacts,
  now: EpochMillis,
): readonly string[] {
  return [
    `certificate ${subject}, ${certificateLeft({ validTo }, now)}`,
    `  names ${altNames.length === 0 ? "none" : altNames.join(", ")}`,
    `  valid from ${new Date(validFrom).toISOString()} until ${new Date(validTo).toISOString()}`,
    `  issued by ${issuer}`,
    `  chain ${chain.join(" ← ")}`,
  ];
}

/** The attempts before the one that is reported have charts of their own here; that one's is above. */
function attemptLines({ attempts }: Result): readonly string[] {
  return attempts
    .flatMap(({ phases, total, failure }, index) => {
      const ended = failure === null ? "passed" : showText(sentence(failure));
      if (index === attempts.length - 1)
        return [`attempt ${index + 1}, shown above: ${inMillis(total)}, ${ended}`];
      const failed = failure?.phase ?? null;
      const chart = phaseChart({ phases, before: nanos(0), whole: total, failed });
      return [`attempt ${index + 1}: ${inMillis(total)}, ${ended}`, ...chart];
    })
    .map((line) => `  ${line}`);
}

const evaluationLines = ({ evaluations }: Result, colour: boolean): readonly string[] =>
  evaluations.map(({ held, expected, received }) => {
    const { sign, sgr } = held ? marks.success : marks.error;
    const mark = colour ? `${sgr}${sign}\x1b[0m` : sign;
    return `  ${mark} ${showText(expected)}${held ? "" : `, received ${showText(JSON.stringify(received))}`}`;
  });
