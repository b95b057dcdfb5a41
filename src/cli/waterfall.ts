import { showText } from "#cli/shown-text";
import { type HttpOutcome, type Outcome, phaseNames, type TlsFacts } from "#outcome";
import type { Result } from "#result";
import { showHostPort } from "#target";
import { nanosToMillis, type Nanos } from "#units";

/** One result for a person: the verdict, where the time went, and what was seen. */
export function waterfall(target: string, result: Result, colour: boolean): string {
  const lines = [headline(target, result, colour)];
  if (result.failure !== null) lines.push(`  ${showText(sentence(result))}`);
  if (result.outcome !== null)
    lines.push("", ...phaseLines(result), ...facts(result.outcome, result));
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

const sentence = ({ failure }: Result): string =>
  failure === null ? "" : `${failure.code} in ${failure.phase}: ${failure.message}`;

const barColumns = 40;

/** Each phase on its own line, its bar where it lay in the whole. */
function phaseLines({ outcome, failure }: Result): readonly string[] {
  if (outcome === null) return [];
  let before = 0;
  return phaseNames
    .flatMap((phase) => {
      const elapsed = outcome.phases[phase];
      if (elapsed === null) return [];
      const line = `  ${phase.padEnd(8)}${inMillis(elapsed).padStart(12)}  ${bar(before, elapsed, outcome.total)}${failure?.phase === phase ? " ✗" : ""}`;
      before += elapsed;
      return [line];
    })
    .concat(`  ${"total".padEnd(8)}${inMillis(outcome.total).padStart(12)}`);
}

function bar(before: number, elapsed: number, total: number): string {
  if (total === 0) return "";
  const start = Math.min(barColumns - 1, Math.floor((before / total) * barColumns));
  const width = Math.max(1, Math.round((elapsed / total) * barColumns));
  return `${" ".repeat(start)}${"█".repeat(Math.min(width, barColumns - start))}`;
}

const inMillis = (duration: Nanos): string => `${nanosToMillis(duration).toFixed(3)} ms`;

function facts(outcome: Outcome, result: Result): readonly string[] {
  const lines: string[] = [];
  switch (outcome.kind) {
    case "http":
      lines.push(...httpLines(outcome));
      break;
    case "tcp":
      break;
    case "dns":
      if (outcome.server !== null)
        lines.push(
          `${outcome.rcode ?? "no answer"} from ${outcome.server}${outcome.transport === null ? "" : ` over ${outcome.transport}`}`,
        );
      lines.push(...outcome.records.map(({ type, value }) => `${type.padEnd(6)}${value}`));
  }
  if (outcome.addresses.length > 0) lines.push(...addressLines(outcome));
  if (outcome.tls !== null) lines.push(...tlsLines(outcome.tls, result.startedAt));
  return lines.length === 0 ? [] : ["", ...lines.map((line) => `  ${showText(line)}`)];
}

function httpLines({ response, hops }: HttpOutcome): readonly string[] {
  const redirects = hops
    .slice(0, -1)
    .map(
      ({ url, statusCode, phases }) =>
        `${statusCode ?? "no status"} ${url} after ${inMillis(sum(phases))}, redirects`,
    );
  if (response === null) return redirects;
  const size = `${response.body.length} bytes${response.bodyCut ? " read, more came" : ""}`;
  return [...redirects, `HTTP/${response.version} ${response.statusCode}, ${size}`];
}

const sum = (phases: Outcome["phases"]): Nanos =>
  phaseNames.reduce((all, phase) => (all + (phases[phase] ?? 0)) as Nanos, 0 as Nanos);

function addressLines({ addresses }: Outcome): readonly string[] {
  return addresses.map(
    ({ address, port, ended, elapsed }) =>
      `${showHostPort(address, port)} ${ended.replaceAll("_", " ")} after ${inMillis(elapsed)}`,
  );
}

const day = 86_400_000;

function tlsLines({ protocol, cipher, certificate }: TlsFacts, now: number): readonly string[] {
  const lines = [`${protocol ?? "TLS"} ${cipher ?? ""}`.trimEnd()];
  if (certificate === null) return lines;
  const days = Math.floor((certificate.validTo - now) / day);
  const left = days < 0 ? `expired ${-days} days ago` : `${days} days left`;
  lines.push(
    `certificate ${certificate.subject} (${certificate.altNames.join(", ")})`,
    `  issued by ${certificate.issuer}, valid until ${new Date(certificate.validTo).toISOString()}, ${left}`,
  );
  return lines;
}

const attemptLines = ({ attempts }: Result): readonly string[] =>
  attempts.map(
    ({ total, failure }, index) =>
      `  attempt ${index + 1}: ${inMillis(total)} ${failure === null ? "passed" : showText(failure.message)}`,
  );

const evaluationLines = ({ evaluations }: Result, colour: boolean): readonly string[] =>
  evaluations.map(({ held, expected, received }) => {
    const { sign, sgr } = held ? marks.success : marks.error;
    const mark = colour ? `${sgr}${sign}\x1b[0m` : sign;
    return `  ${mark} ${showText(expected)}${held ? "" : `, received ${showText(JSON.stringify(received))}`}`;
  });
