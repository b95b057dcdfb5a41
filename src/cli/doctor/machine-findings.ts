import { thrownText } from "#base/text";
import { accessSync, constants, readFileSync, statfsSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import path from "node:path";
import { getHeapStatistics } from "node:v8";
import type { Config } from "#agent/settings/config";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { systemClock } from "#base/clock";
import * as limits from "#limits/cli-limits";
import { askResolver } from "#probes/evidence/ask-resolver";
import { ipv6Reach } from "#probes/socket/ipv6-reach";
import { systemNames } from "#probes/resolve/system-names";
import { showHostPort } from "#network/host-port";

/** Whether results would outlive the agent. Nothing is made or written. */
export function stateFindings({
  stateDirectory: directory,
  spoolLimits,
}: Pick<Config, "stateDirectory" | "spoolLimits">): readonly Finding[] {
  const about = "state directory";
  const isThere = (file: string): boolean =>
    statSync(file, { throwIfNoEntry: false }) !== undefined;
  const exists = isThere(directory);
  const looked = exists ? directory : path.dirname(directory);
  const step = exists
    ? `let the agent's user write ${directory}`
    : `make ${directory} and let the agent's user write it`;
  const next = `${step}, or set PICKET_STATE_DIR to another directory; until then, unsent results are lost on restart`;
  // The agent makes one directory, and none above it.
  if (!isThere(looked))
    return [failed(about, `${directory} cannot be made: there is no ${looked}`, next)];
  try {
    // The slash asks for a directory.
    accessSync(`${looked}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = thrownText(error);
    return [failed(about, `${directory} cannot be used: ${why}`, next)];
  }
  const { bavail, bsize, type } = statfsSync(looked);
  if (type === procMagic)
    return [failed(about, `${directory} cannot be used: it is in /proc`, next)];
  const free = bavail * bsize;
  const found = [
    free < spoolLimits.bytesMax
      ? warning(
          about,
          `${directory} has ${mebibytesIn(free)} free, less than PICKET_SPOOL_MAX_BYTES allows (${mebibytesIn(spoolLimits.bytesMax)})`,
          "free some space, or lower PICKET_SPOOL_MAX_BYTES",
        )
      : fine(
          about,
          `${directory} ${exists ? "is writable" : "can be made"}, ${mebibytesIn(free)} free`,
        ),
  ];
  return exists ? [...found, ...modeFindings(directory)] : found;
}

const procMagic = 0x9fa0;

/** What the agent keeps there is for its user alone: the directory keeps others out, or each file does. */
function modeFindings(directory: string): readonly Finding[] {
  const isOpen = (file: string): boolean =>
    ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
  if (!isOpen(directory)) return [];
  const open = ["instance", "assignment.json", "spool.sqlite", "spool.sqlite-wal"].filter((name) =>
    isOpen(path.join(directory, name)),
  );
  if (open.length === 0) return [];
  return [
    warning(
      "state directory",
      `others may read ${open.join(", ")} in it, which can hold secrets of monitors`,
      `chmod 700 ${directory}`,
    ),
  ];
}

const mebibytesIn = (size: number): string => `${Math.floor(size / 1024 ** 2)} MiB`;

/** Whether the name servers of the checks answer at all; what they say of a name that cannot exist is no matter. */
export async function nameFindings({
  probing: { nameServers },
}: Pick<Config, "probing">): Promise<readonly Finding[]> {
  const about = "name servers";
  const own = nameServers.length > 0;
  const servers = own ? nameServers : systemNames(systemClock).resolvConf().servers;
  const from = own ? "PICKET_DNS_SERVERS" : "/etc/resolv.conf";
  const answered = await Promise.all(
    servers.map((server) => askResolver(server, limits.examinedServerTimeout, systemClock)),
  );
  const dead = servers.filter((_server, index) => answered[index] !== "answered");
  const named = dead.map(({ host, port }) => showHostPort(host, port)).join(", ");
  const next = `check ${from}, and that a firewall lets UDP and TCP to port 53 pass`;
  if (dead.length === 0) return [fine(about, `all ${servers.length} of ${from} answer`)];
  return dead.length === servers.length
    ? [failed(about, `none of ${from} answers (${named}): checks of names will fail`, next)]
    : [warning(about, `${named} of ${from} does not answer`, next)];
}

/** Each check may hold two sockets at once, of two addresses that race. */
export function fileFindings({ concurrency }: Pick<Config, "concurrency">): readonly Finding[] {
  const about = "open files";
  const [, soft = ""] =
    /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  const allowed = soft === "unlimited" ? Infinity : Number(soft);
  const wanted = concurrency * 2 + limits.filesBesideChecks;
  return allowed >= wanted
    ? [fine(about, `${soft} may be open, ${wanted} are needed at most`)]
    : [
        failed(
          about,
          `${soft} may be open, and PICKET_CONCURRENCY=${concurrency} may need ${wanted}`,
          "raise the limit (ulimit -n, LimitNOFILE= of systemd, --ulimit of Docker), or lower PICKET_CONCURRENCY",
        ),
      ];
}

export function memoryFindings(): readonly Finding[] {
  const about = "memory";
  const limit = process.constrainedMemory();
  if (limit === 0 || limit >= totalmem()) return [fine(about, "no limit but the machine's")];
  const heap = getHeapStatistics().heap_size_limit;
  return heap <= limit
    ? [fine(about, `limited to ${mebibytesIn(limit)}`)]
    : [
        warning(
          about,
          `limited to ${mebibytesIn(limit)}, and the heap may grow to ${mebibytesIn(heap)}`,
          `set NODE_OPTIONS=--max-old-space-size=${Math.floor(limit / 1024 ** 2 / 2)}`,
        ),
      ];
}

export function ipv6Findings(): readonly Finding[] {
  const routed = ipv6Reach() === "global";
  return [
    fine(
      "IPv6",
      routed ? "this machine has an address" : "no global IPv6 address: IPv6 targets will fail",
    ),
  ];
}

export function guardFindings({
  probing: { targetRules },
}: Pick<Config, "probing">): readonly Finding[] {
  const { allow, deny } = targetRules;
  return [
    fine(
      "target guard",
      `${deny.length} denials, ${allow.length} exceptions; link-local and cloud metadata addresses are denied`,
    ),
  ];
}
