import { pino, symbols } from "pino";
import type { Config } from "#agent/settings/config";
import { lineLog } from "#cli/edge/line-log";
import { leadsToJournal, type LogOutput, openLogOutput } from "#cli/edge/log-output";
import type { Io } from "#cli/edge/io";
import { systemClock } from "#base/clock";
import type { LogFields, Logger, Severity } from "#base/log";

/** The agent's log on stdout: JSON lines for machines, plain ones for people. */
export function startAgentLog(
  { logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">,
  { stdout, env, interactive }: Pick<Io, "stdout" | "env" | "interactive">,
): Logger {
  const output = openLogOutput(stdout, leadsToJournal(env, 1), (message, fields) =>
    log.warn(message, fields),
  );
  const readable = (logFormat ?? (interactive ? "pretty" : "json")) === "pretty";
  const log = readable
    ? lineLog((line, severity) => output(`${timeOfDay()} ${line}`, severity), logLevel)
    : jsonLog(output, logLevel);
  return log;
}

/** On this machine's clock, as whoever reads along has it on the wall. */
const timeOfDay = (): string => new Date(systemClock.wall()).toTimeString().slice(0, 8);

/** Names of fields follow OpenTelemetry if it has one. */
function jsonLog(output: LogOutput, level: Severity): Logger {
  const destination = {
    // pino then writes down the level of each line before it hands it over.
    [symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write: (line: string) =>
      output(line.trimEnd(), severityOf(pino.levels.labels[destination.lastLevel])),
  };
  const log = pino(
    {
      level,
      base: {},
      timestamp: () => `,"timestamp":"${new Date(systemClock.wall()).toISOString()}"`,
      formatters: { level: (label: string) => ({ severity: label }) },
      messageKey: "message",
    },
    destination,
  );
  return {
    debug: (message, fields) => log.debug(known(fields), message),
    info: (message, fields) => log.info(known(fields), message),
    warn: (message, fields) => log.warn(known(fields), message),
    error: (message, fields) => log.error(known(fields), message),
  };
}

const severities: readonly Severity[] = ["debug", "info", "warn", "error"];
const severityOf = (label: string | undefined): Severity =>
  severities.find((one) => one === label) ?? "error";

const known = (fields: LogFields | undefined): LogFields => fields ?? {};
