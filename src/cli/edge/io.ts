/** The process as a command sees it; main.ts makes the real one. */
export interface Io {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** What a person answers; read by commands that ask before they delete. */
  readonly stdin: NodeJS.ReadableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP: finish what runs. */
  readonly signal: AbortSignal;
  /** Aborts at the second: abort what runs. */
  readonly abandon: AbortSignal;
  /** Whether stdout is a terminal. */
  readonly interactive: boolean;
}
