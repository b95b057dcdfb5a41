import { pino, type Logger as PinoLogger } from "pino";
import { PinoPretty as pretty } from "pino-pretty";
import type { Config } from "#config/config";
import { systemClock } from "#clock";
import type { LogFields, Logger } from "#log";

/** JSON lines for machines, pretty ones for people; names of fields follow OpenTelemetry where it has one. */
export function startLogger(
  { logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">,
  interactive: boolean,
  stream: NodeJS.WritableStream,
): Logger {
  const options = {
    level: logLevel,
    base: {},
    timestamp: () => `,"timestamp":"${new Date(systemClock.wall()).toISOString()}"`,
    formatters: { level: (label: string) => ({ severity: label }) },
    messageKey: "message",
  };
  const readable = (logFormat ?? (interactive ? "pretty" : "json")) === "pretty";
  return loggerOf(
    readable
      ? pino(
          { ...options, formatters: {} },
          pretty({
            destination: stream,
            messageKey: "message",
            timestampKey: "timestamp",
            translateTime: "SYS:HH:MM:ss",
            // The fields stand dimmed behind the message: what happened is read first.
            singleLine: true,
            sync: true,
          }),
        )
      : pino(options, stream),
  );
}

const loggerOf = (log: PinoLogger): Logger => ({
  debug: (message, fields) => log.debug(known(fields), message),
  info: (message, fields) => log.info(known(fields), message),
  warn: (message, fields) => log.warn(known(fields), message),
  error: (message, fields) => log.error(known(fields), message),
});

const known = (fields: LogFields | undefined): LogFields => fields ?? {};
