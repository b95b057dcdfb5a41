import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { type Capture, readCapture } from "./pcap.ts";

/** Where packets are taken down: a device, and what is put before a command to run it where the device is. */
export interface Tap {
  readonly device: string;
  readonly inside: readonly string[];
  /** An address beyond the device, to which the datagram goes that ends a capture. */
  readonly beyond: string;
}

export const loopback: Tap = { device: "lo", inside: [], beyond: "127.0.0.1" };

/** RFC 863: nobody listens there, and nobody minds. */
const discardPort = 9;
const lastWords = "end of the capture";
/** Of the datagrams that fill a block of 256 KiB: one fits into a frame of any link, and they are twice as many as needed. */
const filler = { bytes: 1_400, count: 384 };

/**
 * Takes down, from now on, the packets that `filter` lets through. The kernel hands them over in blocks, each when it is
 * full or a second old. So the end is a datagram of our own, with others after it that fill its block: when that has
 * come, everything before it has.
 */
export async function startCapture(
  filter: string,
  { device, inside, beyond }: Tap = loopback,
): Promise<{ stop(): Promise<Capture> }> {
  const tcpdump = run(inside, [
    "tcpdump",
    ...`-i ${device} -w - -U -B 65536 -n --time-stamp-precision=nano`.split(" "),
    `(${filter}) or (udp port ${discardPort})`,
  ]);
  const chunks: Buffer[] = [];
  let said = "";
  const listening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  tcpdump.stderr.on("data", (chunk: Buffer) => {
    said += String(chunk);
    if (said.includes("listening on")) listening.resolve();
  });
  tcpdump.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (Buffer.concat(chunks.slice(-2)).includes(lastWords)) ended.resolve();
  });
  tcpdump.once("exit", () => listening.reject(new Error(`tcpdump ended: ${said}`)));
  await listening.promise;
  return {
    stop: async () => {
      sendLastWords(inside, beyond);
      await ended.promise;
      const exited = once(tcpdump, "exit");
      tcpdump.kill("SIGINT");
      await exited;
      const dropped = Number(/(\d+) packets? dropped by kernel/.exec(said)?.[1] ?? 0);
      if (dropped > 0) throw new Error(`the capture lost ${dropped} packets`);
      const capture = readCapture(Buffer.concat(chunks));
      return {
        ...capture,
        packets: capture.packets.filter(({ toPort }) => toPort !== discardPort),
      };
    },
  };
}

function sendLastWords(inside: readonly string[], beyond: string): void {
  const to = `${discardPort}, ${JSON.stringify(beyond)}`;
  const script = `const s = require("dgram").createSocket("udp4");
    s.send(${JSON.stringify(lastWords)}, ${to});
    let left = ${filler.count};
    for (let n = left; n > 0; n -= 1) s.send(Buffer.alloc(${filler.bytes}), ${to}, () => (left -= 1) || s.close());`;
  run(inside, [process.execPath, "-e", script]);
}

function run(
  inside: readonly string[],
  line: readonly string[],
): ChildProcessByStdio<null, Readable, Readable> {
  const [command = "", ...args] = [...inside, ...line];
  return spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
}
