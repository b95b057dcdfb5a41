/** What every room may say; pino says it in production, a list remembers it in tests. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type Severity = keyof Logger;

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
