import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import type { Config } from "#agent/settings/config";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { Prober } from "#agent/prober/prober";
import { millis } from "#base/units";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import * as checkLimits from "#limits/check-limits";
import * as wireLimits from "#limits/wire-limits";
import { openKernelClock } from "#probes/socket/kernel-clock";
import type { SocketsInUse } from "#probes/raw/open-sockets";

/** Whether the kernel says when connections and datagrams happened: tried on this machine with itself. */
export async function kernelFindings({
  probing,
}: Pick<Config, "probing">): Promise<readonly Finding[]> {
  const about = "kernel clock";
  if (!probing.kernelClock) return [fine(about, "off by PICKET_KERNEL_CLOCK: events are timed")];
  const clock = openKernelClock();
  const next =
    "run it on Linux with glibc and a Node.js whose node:ffi is not switched off (--no-experimental-ffi, --permission), or set PICKET_KERNEL_CLOCK=off; until then figures are some 100 µs longer";
  if (!clock.available) return [warning(about, "the kernel cannot be asked", next)];
  await using peer = await listening();
  const socket = connect(peer.port, "127.0.0.1");
  await once(socket, "connect");
  const handshake = clock.handshake(socket);
  socket.destroy();
  const receiver = createSocket("udp4").bind(0, "127.0.0.1");
  await once(receiver, "listening");
  clock.noteArrivals(receiver);
  const sender = createSocket("udp4");
  const arrived = once(receiver, "message");
  sender.send("x", receiver.address().port, "127.0.0.1");
  await arrived;
  const since = clock.sinceArrival(receiver);
  receiver.close();
  sender.close();
  const missing = [
    ...(handshake === null ? ["connections"] : []),
    ...(since === null ? ["datagrams"] : []),
  ];
  return missing.length === 0
    ? [fine(about, "connections and datagrams are timed by the kernel")]
    : [warning(about, `the kernel does not say when ${missing.join(" and ")} happened`, next)];
}

/**
 * One check of ourselves, whatever is denied or proxied for targets. In this thread: another one would take 20 MB, which
 * a small container has no room for next to its agent.
 */
export async function probeFindings(config: Config): Promise<readonly Finding[]> {
  const about = "probes";
  const options = {
    ...config.probing,
    targetRules: { allow: [], deny: [] },
    proxying: { proxy: null, exceptions: [] },
  };
  await using peer = await listening();
  await using prober = await startInlineProber({ ...options, threads: 1 });
  const { signal } = new AbortController();
  const target = { kind: "tcp", host: "127.0.0.1", port: peer.port } as const;
  const { failure, total, errorBar } = await prober.probe(
    target,
    wireLimits.serviceDialTimeout,
    signal,
  );
  const sockets = socketsFinding(config, prober.sockets);
  const pings = await pingFinding(prober);
  if (failure !== null)
    return [
      sockets,
      pings,
      failed(about, `a check of this machine failed: ${failure.message}`, "check its load"),
    ];
  const says = `a check of this machine took ${(total / 1e6).toFixed(2)} ms, ± ${(errorBar / 1e6).toFixed(2)} ms`;
  return [
    sockets,
    pings,
    errorBar > checkLimits.errorBarMax
      ? warning(about, says, "give the agent more processor, or move what else runs here")
      : fine(about, says),
  ];
}

/** Whether this machine can ping, and by which of the two ways. Who has no ICMP monitor needs neither. */
async function pingFinding(prober: Pick<Prober, "probe">): Promise<Finding> {
  const about = "pings";
  const target = { kind: "icmp", host: "127.0.0.1", packets: 1, interval: millis(10) } as const;
  const { signal } = new AbortController();
  const { failure } = await prober.probe(target, wireLimits.serviceDialTimeout, signal);
  if (failure === null)
    return fine(
      about,
      isGroupAllowed()
        ? "allowed without privilege, by net.ipv4.ping_group_range"
        : "allowed by CAP_NET_RAW",
    );
  return fine(about, `ICMP monitors cannot run here: ${failure.message}`);
}

/**
 * proc(5): the first and the last group that may ping, as this process sees them. Where /proc does not show that, a process
 * without the capability can have been allowed by its group alone.
 */
function isGroupAllowed(): boolean {
  const [first = 1, last = 0] = textOf("/proc/sys/net/ipv4/ping_group_range")
    .split(/\s+/)
    .map(Number);
  const groups = [process.getegid?.() ?? -1, ...(process.getgroups?.() ?? [])];
  if (groups.some((group) => group >= first && group <= last)) return true;
  const [, capabilities = "0"] = /^CapEff:\s*(\S+)/m.exec(textOf("/proc/self/status")) ?? [];
  return (BigInt(`0x${capabilities}`) & capNetRaw) === 0n;
}

const capNetRaw = 1n << 13n;

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

function socketsFinding({ probing }: Config, sockets: SocketsInUse): Finding {
  const about = "raw sockets";
  if (sockets.kind === "raw")
    return fine(about, `probes use them: the kernel timestamps every packet${tlsWords(sockets)}`);
  if (sockets.why === null)
    return fine(about, "off by PICKET_RAW_SOCKETS: probes use Node.js's sockets");
  const says = `probes use Node.js's sockets instead: ${sockets.why}`;
  return probing.rawSockets === "on"
    ? warning(about, says, "remove the cause, or set PICKET_RAW_SOCKETS=auto")
    : fine(about, says);
}

const tlsWords = ({ noOwnTls }: { readonly noOwnTls: string | null }): string =>
  noOwnTls === null ? "" : `; Node.js speaks TLS over them: ${noOwnTls}`;

async function listening(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}
