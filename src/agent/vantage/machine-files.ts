import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { errorCode } from "#network/system-errors";
import * as limits from "#limits/vantage-limits";
import {
  blindSight,
  type InterfaceSight,
  type MachineSight,
  type Route,
} from "#agent/vantage/machine-sight";

/** Where the kernel's files lie. Under a unit that hides other processes, /proc/net is gone and /proc/self/net is not. */
interface MachineFolders {
  readonly net: string;
  readonly interfaces: string;
  readonly group: string;
}

const linuxFolders = (): MachineFolders => ({
  net: "/proc/self/net",
  interfaces: "/sys/class/net",
  group: ownGroup(),
});

/** Reads what this machine knows of its own links, routes and load. What cannot be read is unknown, never a fault. */
export class MachineFiles {
  readonly #folders: MachineFolders;
  readonly #room: Buffer = Buffer.allocUnsafe(limits.machineFileBytesMax);
  /** The newest count, and the one before it. */
  #throttled: readonly [newest: Throttling | null, before: Throttling | null] = [null, null];
  #segments: { readonly sent: number; readonly resent: number } | null = null;
  /** Errors that each interface has counted. */
  #errors: ReadonlyMap<string, number> = new Map();

  constructor(folders: MachineFolders = linuxFolders()) {
    this.#folders = folders;
  }

  /**
   * `now` is in milliseconds of the monotonic clock: throttling is a share of the time since the last look, or since the
   * one before it if that was just now.
   */
  look(now: number): MachineSight {
    const routes = [...this.#ipv4Routes(), ...this.#ipv6Routes()];
    const gateways = new Set(routes.flatMap(({ gateway }) => (gateway === null ? [] : [gateway])));
    return {
      ...blindSight,
      interfaces: this.#interfaces(),
      routes,
      silentGateways: this.#unresolved().filter((address) => gateways.has(address)),
      throttledShare: this.#throttledShare(now),
      pressureShare: this.#pressureShare(),
      resentShare: this.#resentShare(),
      heldBack: this.#heldBack(),
      faultyInterfaces: this.#faultyInterfaces(),
    };
  }

  #interfaces(): readonly InterfaceSight[] {
    try {
      return readdirSync(this.#folders.interfaces)
        .filter((name) => name !== "lo")
        .slice(0, limits.interfacesLookedAtMax)
        .map((name) => ({ name, link: this.#linkOf(name) }));
    } catch {
      return [];
    }
  }

  /** Of an interface that is switched off, the kernel refuses to say whether it has a carrier. */
  #linkOf(name: string): InterfaceSight["link"] {
    const carrier = this.#read(`${this.#folders.interfaces}/${name}/carrier`);
    if (typeof carrier !== "string") return carrier.code === "EINVAL" ? "switched off" : "unknown";
    return carrier.trim() === "1" ? "up" : "no carrier";
  }

  /** Numbers lie in it as the processor keeps them: `0100000A` is 10.0.0.1. */
  #ipv4Routes(): readonly Route[] {
    return this.#lines(`${this.#folders.net}/route`)
      .slice(1)
      .flatMap((line) => {
        const [device = "", to = "", via = "", flags = "", , , metric, mask = ""] =
          line.split("\t");
        if (!isUsable(flags)) return [];
        const prefix = bitsOf(swapped(mask));
        const gateway = via === "00000000" ? null : dotted(swapped(via));
        const block = { width: 32, value: BigInt(swapped(to)), prefix } as const;
        return [{ block, device, gateway, metric: Number(metric) }];
      });
  }

  #ipv6Routes(): readonly Route[] {
    return this.#lines(`${this.#folders.net}/ipv6_route`).flatMap((line) => {
      const [to = "", prefix = "", , , via = "", metric = "", , , flags = "", device = ""] =
        line.split(/ +/);
      if (!isUsable(flags) || (device === "lo" && prefix === "00")) return [];
      const block = { width: 128, value: BigInt(`0x${to}`), prefix: hex(prefix) } as const;
      const gateway = /^0+$/.test(via) ? null : grouped(via);
      return [{ block, device, gateway, metric: hex(metric) }];
    });
  }

  /** Addresses of IPv4 that the kernel has no answer from; of IPv6 no file says it. */
  #unresolved(): readonly string[] {
    return this.#lines(`${this.#folders.net}/arp`)
      .slice(1)
      .flatMap((line) => {
        const [address = "", , flags] = line.split(/ +/);
        return flags === "0x0" ? [address] : [];
      });
  }

  #throttledShare(now: number): number | null {
    const stat = this.#read(`${this.#folders.group}/cpu.stat`);
    const micros = typeof stat === "string" ? throttledMicros(stat) : null;
    if (micros === null) return null;
    const [newest, earlier] = this.#throttled;
    const isShort = newest !== null && now - newest.at < limits.throttledOver;
    const since = isShort ? (earlier ?? newest) : newest;
    if (!isShort) this.#throttled = [{ at: now, micros }, newest];
    if (since === null || now <= since.at) return null;
    return Math.min(1, (micros - since.micros) / 1000 / (now - since.at));
  }

  #pressureShare(): number | null {
    const pressure = this.#read(`${this.#folders.group}/cpu.pressure`);
    const found =
      typeof pressure === "string" ? /^some avg10=([\d.]+)/m.exec(pressure)?.[1] : undefined;
    return found === undefined ? null : Number(found) / 100;
  }

  /** By the counters of RFC 4022. */
  #resentShare(): number | null {
    const counted = this.#counters("snmp", "Tcp:");
    const before = this.#segments;
    const now = { sent: counted("OutSegs"), resent: counted("RetransSegs") };
    this.#segments = now;
    // Counters that are missing are no numbers, and no number is above another.
    if (before === null || !(now.sent > before.sent)) return null;
    return Math.min(1, (now.resent - before.resent) / (now.sent - before.sent));
  }

  /** A filter of this machine that drops what it sends has the kernel fail to send it again. */
  #heldBack(): number | null {
    const count = this.#counters("netstat", "TcpExt:")("TCPRetransFail");
    return Number.isNaN(count) ? null : count;
  }

  /** A line with names, and one with their counters; not a number for one that is not there. */
  #counters(file: string, group: string): (name: string) => number {
    const [names = [], values = []] = this.#lines(`${this.#folders.net}/${file}`)
      .filter((line) => line.startsWith(group))
      .map((line) => line.split(" "));
    return (name) => Number(values[names.indexOf(name)]);
  }

  /** Received and sent with errors are the third and the eleventh counter after the name. */
  #faultyInterfaces(): readonly string[] {
    const before = this.#errors;
    this.#errors = new Map(
      this.#lines(`${this.#folders.net}/dev`).flatMap((line) => {
        const [name = "", counters = ""] = line.trim().split(":");
        const values = counters.trim().split(/ +/).map(Number);
        return values.length < 11 ? [] : [[name, (values[2] ?? 0) + (values[10] ?? 0)] as const];
      }),
    );
    return [...this.#errors]
      .filter(([name, errors]) => errors > (before.get(name) ?? Infinity))
      .map(([name]) => name)
      .slice(0, limits.interfacesLookedAtMax);
  }

  #lines(file: string): readonly string[] {
    const text = this.#read(file);
    return typeof text === "string" ? text.split("\n").filter((line) => line.trim() !== "") : [];
  }

  /** The first of a file, or the system's code for why it cannot be read. */
  #read(file: string): string | { readonly code: string } {
    try {
      const opened = openSync(file, "r");
      try {
        let filled = 0;
        for (let read = -1; read !== 0 && filled < this.#room.length; filled += read)
          read = readSync(opened, this.#room, filled, this.#room.length - filled, null);
        return this.#room.toString("latin1", 0, filled);
      } finally {
        closeSync(opened);
      }
    } catch (error) {
      return { code: errorCode(error) };
    }
  }
}

/** For how long the control group had been kept from running in all, at an instant. */
interface Throttling {
  readonly at: number;
  readonly micros: number;
}

const isUp = 0x1;
const isReject = 0x200;
const isUsable = (flags: string): boolean => (hex(flags) & (isUp | isReject)) === isUp;

const hex = (text: string): number => Number.parseInt(text, 16);
const swapped = (text: string): number => Buffer.from(text, "hex").readUInt32LE(0);
const bitsOf = (mask: number): number => mask.toString(2).replaceAll("0", "").length;
const dotted = (value: number): string =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join(".");
const grouped = (digits: string): string =>
  new URL(`http://[${digits.replace(/(.{4})(?!$)/g, "$1:")}]`).hostname.slice(1, -1);

/** Version 2 of control groups counts microseconds, version 1 nanoseconds. */
function throttledMicros(stat: string): number | null {
  const [, name, value] = /^throttled_(usec|time) (\d+)$/m.exec(stat) ?? [];
  if (value === undefined) return null;
  return name === "usec" ? Number(value) : Number(value) / 1_000;
}

/** The control group of this process that has its processor time; in a container it is the root of what is seen. */
function ownGroup(): string {
  const root = "/sys/fs/cgroup";
  const folderOf = (mount: string, group: string): string => {
    const own = `${mount}${group === "/" ? "" : group}`;
    return existsSync(own) ? own : mount;
  };
  try {
    const opened = openSync("/proc/self/cgroup", "r");
    const room = Buffer.alloc(limits.groupNameBytesMax);
    const groups = room.toString("latin1", 0, readSync(opened, room, 0, room.length, 0));
    closeSync(opened);
    const first = /^\d+:(?:[\w,]*,)?cpu(?:,[\w,]*)?:(\/.*)$/m.exec(groups)?.[1];
    if (first !== undefined) return folderOf(`${root}/cpu`, first);
    return folderOf(root, /^0::(\/.*)$/m.exec(groups)?.[1] ?? "/");
  } catch {
    return root;
  }
}
