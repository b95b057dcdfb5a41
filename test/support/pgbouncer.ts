import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { isInstalled } from "./installed.ts";
import { neverLeft } from "./never-left.ts";
import { programAt } from "./program-path.ts";

/** A PgBouncer as Debian sets it up, but for its mode, before the PostgreSQL of a test. */
export interface PgBouncer extends AsyncDisposable {
  /** The address of the same database behind it. */
  readonly database: string;
}

const program = "pgbouncer";
export const isPgBouncerInstalled = (): boolean => isInstalled(program);

/** It refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

export async function startPgBouncer(
  database: string,
  mode: "session" | "transaction",
): Promise<PgBouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-pgbouncer-"));
  const url = new URL(database);
  const settings = [
    "[databases]",
    `* = host=${url.searchParams.get("host") ?? ""}`,
    "[pgbouncer]",
    `pool_mode = ${mode}`,
    `unix_socket_dir = ${folder}`,
    "auth_type = trust",
    `auth_file = ${path.join(folder, "users")}`,
  ];
  writeFileSync(path.join(folder, "settings"), `${settings.join("\n")}\n`);
  writeFileSync(path.join(folder, "users"), `"${url.username}" ""\n`);
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const started = spawn(programAt(program) ?? program, [path.join(folder, "settings")], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    ...(isRoot ? nobody : {}),
  });
  neverLeft(started, "SIGTERM");
  const said: string[] = [];
  let isUp = false;
  for await (const line of createInterface({ input: started.stderr })) {
    said.push(line);
    isUp = line.includes("process up");
    if (isUp) break;
  }
  if (!isUp) throw new Error(`PgBouncer did not start: ${said.join("\n")}`);
  started.stderr.resume();
  // Its default.
  url.port = "6432";
  url.searchParams.set("host", folder);
  return {
    database: url.href,
    [Symbol.asyncDispose]: async () => {
      const ended = once(started, "exit");
      started.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
