import path from "node:path";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { lineLog } from "#cli/line-log";
import { showText } from "#cli/shown-text";
import { parseArguments, UsageError } from "#cli/usage-error";
import { systemClock } from "#clock";
import { Refusal } from "#service/refusal";
import { openKeys, type Service, startService } from "#service/server";

const serviceHelp = `Usage: picket service [--database FILE] [--listen HOST:PORT]
       picket service key create --name NAME --scope read|write [--database FILE]
       picket service key list [--database FILE]
       picket service key revoke ID [--database FILE]

Runs the self-hosted service on one SQLite file until SIGTERM. At its first start it makes an API
key and prints it once; further keys are made and revoked here, on the service's own machine.

  --database FILE      default: service.sqlite in $STATE_DIRECTORY, else ./picket-service.sqlite
                       (PICKET_SERVICE_DATABASE)
  --listen HOST:PORT   default 127.0.0.1:8787 (PICKET_SERVICE_LISTEN)

Exit codes: 0 stopped as asked, 1 could not start, 64 wrong usage.
`;

/** `picket service`: the service itself, and the keys to it. */
export async function runService(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments(args, { options, allowPositionals: true });
  if (values.help === true) {
    io.stdout.write(serviceHelp);
    return exitCodes.fine;
  }
  const database = values.database ?? io.env["PICKET_SERVICE_DATABASE"] ?? defaultDatabase(io);
  const [noun, ...rest] = positionals;
  if (noun === undefined) {
    const listen = values.listen ?? io.env["PICKET_SERVICE_LISTEN"] ?? "127.0.0.1:8787";
    return serve(database, listenOf(listen), io);
  }
  if (noun !== "key") throw new UsageError(`service has no subcommand ${noun}; it has key`);
  return manageKeys(rest, values, database, io);
}

const options = {
  database: { type: "string" },
  listen: { type: "string" },
  name: { type: "string" },
  scope: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const defaultDatabase = (io: Io): string => {
  const directory = io.env["STATE_DIRECTORY"];
  return directory === undefined ? "picket-service.sqlite" : path.join(directory, "service.sqlite");
};

function listenOf(text: string): { readonly host: string; readonly port: number } {
  const [, address, name, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  if (host === undefined || !(port <= 65_535))
    throw new UsageError(`--listen must be HOST:PORT, as 127.0.0.1:8787, not "${text}"`);
  return { host, port };
}

async function serve(
  database: string,
  listen: { readonly host: string; readonly port: number },
  io: Io,
): Promise<number> {
  const log = lineLog(
    (line) => io.stderr.write(`${line}\n`),
    io.env["PICKET_LOG_LEVEL"] === "debug",
  );
  let service: Service;
  try {
    service = await startService({ database, ...listen, clock: systemClock, log });
  } catch (error) {
    io.stderr.write(`picket service: cannot start: ${reason(error)}\n`);
    return exitCodes.failed;
  }
  await using running = service;
  io.stdout.write(`The service listens on ${running.url}; its database is ${database}\n`);
  if (running.admin.listApiKeys().length === 0) io.stdout.write(firstKey(running));
  await stopped(io.signal);
  io.stdout.write("Stopping: requests under way are finished.\n");
  return exitCodes.fine;
}

function firstKey({ admin, url }: Service): string {
  const { key } = admin.createApiKey({ name: "first", scope: "write" });
  return `
This is its first start. An API key was made; it is shown only now:

  export SERVICE_API_URL=${url} SERVICE_API_KEY=${key}

Next: picket apply -f monitors.yaml --location NAME
`;
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const reason = (error: unknown): string =>
  showText(Error.isError(error) ? error.message : String(error));

interface KeyValues {
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
}

function manageKeys(
  [verb, id]: readonly string[],
  { name, scope }: KeyValues,
  database: string,
  io: Io,
): number {
  using opened = openKeys(database, systemClock);
  const { keys } = opened;
  try {
    switch (verb) {
      case "create":
        if (name === undefined) throw new UsageError("key create needs --name");
        if (scope !== "read" && scope !== "write")
          throw new UsageError("key create needs --scope read or --scope write");
        io.stdout.write(`${keys.create({ name, scope }).key}\n`);
        return exitCodes.fine;
      case "list":
        for (const key of keys.list())
          io.stdout.write(`${key.id}  ${key.scope.padEnd(5)}  ${showText(key.name)}\n`);
        return exitCodes.fine;
      case "revoke":
        if (id === undefined) throw new UsageError("key revoke needs the key's id");
        keys.revoke(id);
        io.stdout.write(`Revoked ${showText(id)}\n`);
        return exitCodes.fine;
      default:
        throw new UsageError("key takes create, list or revoke");
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    io.stderr.write(`picket service: ${showText(error.message)}\n`);
    return exitCodes.failed;
  }
}
