import type * as Ffi from "node:ffi";
import { getSystemErrorName } from "node:util";
import { clockRealtime, errnoName, solSocket, solTcp, tcpInfo } from "#probes/socket/linux-numbers";
import { type EchoCalls, echoCalls } from "#probes/raw/echo-calls";
import { Arena, type Segments, type SocketName, type Stamp } from "#probes/raw/arena";
import type { Nanos } from "#base/units";

/**
 * The kernel's calls for sockets, by node:ffi. What is handed to C lies in the arena, so that whoever calls sees
 * numbers and bytes only. A result below zero is the error's number, negated. One for each thread, and none waits but
 * `wait`.
 */
export interface KernelCalls extends EchoCalls {
  /** A descriptor; the kernel stamps its packets where it is for datagrams. */
  socket(address: string, type: "stream" | "datagram"): number;
  /** Has the kernel stamp the packets of a socket, of a stream also those that came before. */
  stamp(descriptor: number): void;
  /** Has a stream's messages leave also while the peer has not acknowledged the one before. */
  sendAtOnce(descriptor: number): void;
  connect(descriptor: number, address: string, port: number): number;
  /** What became of a connection that was being made: 0, or the error. */
  connectError(descriptor: number): number;
  /** From SYN to SYN-ACK; null of a socket that is not connected, and where the kernel cannot say. */
  handshake(descriptor: number): Nanos | null;
  /** What came over a connection so far; null if the kernel cannot say. */
  segments(descriptor: number): Segments | null;
  /** Where a message is put together. */
  readonly outbox: Buffer;
  /** Sends the first `length` bytes of the outbox. Gives how many of them the kernel took. */
  send(descriptor: number, length: number, stamped: boolean): number;
  /** When the oldest stamped message left of which this was not asked yet; null if the kernel does not know yet. */
  leftAt(descriptor: number): Stamp | null;
  /** Where received bytes lie until the next ones are received. */
  readonly inbox: Buffer;
  /** Gives how many bytes came, up to `max`; of a connection, 0 is its end. */
  receive(descriptor: number, max: number): number;
  /** The same, but they stay to be received. */
  peek(descriptor: number, max: number): number;
  /** When the newest of the bytes came that were received or peeked at last. */
  arrivedAt(): Stamp | null;
  /** The clock by which the kernel stamps. */
  wall(): Stamp;
  close(descriptor: number): void;
  /** A set of descriptors to wait on. */
  waitingSet(): number;
  /** Changes of the descriptor are reported as `id`. */
  watch(set: number, descriptor: number, id: number): number;
  /** The runtime's own set is reported for as long as there is something in it. */
  watchRuntime(set: number, id: number): number;
  unwatch(set: number, descriptor: number): void;
  /** Waits for this many milliseconds, −1 is forever. Gives how many changes there are. */
  wait(set: number, timeout: number): number;
  changeOf(index: number): Change;
  /**
   * For how many milliseconds the runtime's event loop of this thread would wait; −1 is forever. It is 0 while an
   * immediate is pending, and while its set does not hold yet all that the runtime waits for.
   */
  runtimeTimeout(): number;
}

export interface Change {
  readonly id: number;
  readonly events: number;
}

// sys/epoll.h
const epollIn = 1;
const epollOut = 4;
const epollError = 8;
const epollHangUp = 16;
const epollPeerHangUp = 0x2000;

export const isReadable = (events: number): boolean => (events & epollIn) !== 0;
export const isWritable = (events: number): boolean => (events & epollOut) !== 0;
/** The peer sends no more, or an error came, or a stamped message has left. */
export const isEnding = (events: number): boolean =>
  (events & (epollError | epollHangUp | epollPeerHangUp)) !== 0;

// asm-generic/errno.h
export const tryAgain = -11;
export const inProgress = -115;
const interrupted = -4;

/** The runtime's error for a result below zero. */
export function systemError(result: number, call: string, address: string): Error {
  const code = getSystemErrorName(result);
  return Object.assign(new Error(`${call} ${code} ${address}`), { code, address });
}

/** Throws where the calls cannot be made: no node:ffi, another layout than the arena's, or something is not permitted. */
export function openKernelCalls(): KernelCalls {
  if (process.platform !== "linux" || !["x64", "arm64"].includes(process.arch))
    throw new Error(
      `raw sockets are for Linux on x86-64 and arm64, and not for ${process.platform} on ${process.arch}`,
    );
  // Loaded only here: node:ffi does not exist in other runtimes, and is announced as experimental if it does.
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (ffi === undefined) throw new Error("this Node.js has no node:ffi, or it is switched off");
  return linuxCalls(ffi);
}

// v8::Isolate::GetCurrent() and node::GetCurrentEventLoop(v8::Isolate*): nothing else leads to a thread's loop.
const isolateName = "_ZN2v87Isolate10GetCurrentEv";
const loopName = "_ZN4node19GetCurrentEventLoopEPN2v87IsolateE";

const definitions = {
  socket: { arguments: ["i32", "i32", "i32"], return: "i32" },
  connect: { arguments: ["i32", "u64", "u32"], return: "i32" },
  getsockopt: { arguments: ["i32", "i32", "i32", "u64", "u64"], return: "i32" },
  setsockopt: { arguments: ["i32", "i32", "i32", "u64", "u32"], return: "i32" },
  // These two give 64 bits; no message here is longer than the lower half says.
  sendmsg: { arguments: ["i32", "u64", "i32"], return: "i32" },
  recvmsg: { arguments: ["i32", "u64", "i32"], return: "i32" },
  getsockname: { arguments: ["i32", "u64", "u64"], return: "i32" },
  getpeername: { arguments: ["i32", "u64", "u64"], return: "i32" },
  close: { arguments: ["i32"], return: "i32" },
  epoll_create1: { arguments: ["i32"], return: "i32" },
  epoll_ctl: { arguments: ["i32", "i32", "i32", "u64"], return: "i32" },
  epoll_wait: { arguments: ["i32", "u64", "i32", "i32"], return: "i32" },
  clock_gettime: { arguments: ["i32", "u64"], return: "i32" },
  [errnoName]: { arguments: [], return: "u64" },
  uv_backend_fd: { arguments: ["u64"], return: "i32" },
  uv_backend_timeout: { arguments: ["u64"], return: "i32" },
  uv_update_time: { arguments: ["u64"], return: "void" },
  [isolateName]: { arguments: [], return: "u64" },
  [loopName]: { arguments: ["u64"], return: "u64" },
} as const;

// sys/socket.h
const socketTypes = { stream: 0o2004001, datagram: 0o2004002 } as const;
const soError = 4;
const soTimestamping = 37;
/** RX_SOFTWARE | SOFTWARE | OPT_TSONLY of linux/net_tstamp.h: stamps of what comes, and stamps without what left. */
const stamps = 8 | 16 | 2048;
const peeking = 2;
const dontWait = 0x40;
const errorQueue = 0x2000;
const noSignal = 0x4000;
// netinet/tcp.h
const noDelay = 1;
// sys/epoll.h
const closeOnExec = 0o2000000;
const add = 1;
const remove = 2;
const onlyChanges = 0x8000_0000;
const everyChange = (epollIn | epollOut | epollPeerHangUp | onlyChanges) >>> 0;

function linuxCalls(ffi: typeof Ffi): KernelCalls {
  const { functions } = ffi.dlopen(null, definitions);
  const arena = new Arena((memory) => ffi.getRawPointer(memory));
  const errno = functions[errnoName]();
  const resultOf: ResultOf = (value) => (value < 0 ? -ffi.getInt32(errno, 0) : value);
  const options = optionCalls(functions, arena);
  return {
    ...options,
    ...socketCalls(functions, arena, resultOf, options.stamp),
    ...infoCalls(functions, arena),
    ...packetCalls(functions, arena, resultOf),
    ...echoCalls(functions, arena, resultOf),
    ...waitingCalls(functions, arena, resultOf),
  };
}

type Functions = Ffi.DynamicLibraryResult<typeof definitions>["functions"];
type ResultOf = (value: number) => number;

function socketCalls(
  c: Functions,
  arena: Arena,
  resultOf: ResultOf,
  stamp: KernelCalls["stamp"],
): Pick<KernelCalls, "socket" | "connect" | "connectError" | "close"> {
  const { pointers } = arena;
  let written: SocketName | null = null;
  // A socket is made and connected by the same address.
  const nameOf = (address: string): SocketName | null =>
    (written = written?.address === address ? written : arena.setName(address));
  return {
    socket: (address, type) => {
      const name = nameOf(address);
      if (name === null) return noAddress;
      const descriptor = resultOf(c.socket(name.family, socketTypes[type], 0));
      if (descriptor < 0) return descriptor;
      if (type === "datagram") stamp(descriptor);
      return descriptor;
    },
    connect: (descriptor, address, port) => {
      const name = nameOf(address);
      if (name === null) return noAddress;
      arena.setPort(port);
      return resultOf(c.connect(descriptor, pointers.name, name.bytes));
    },
    connectError: (descriptor) => {
      arena.setValue(0);
      const { value, valueLength } = pointers;
      const got = resultOf(c.getsockopt(descriptor, solSocket, soError, value, valueLength));
      return got < 0 ? got : -arena.value();
    },
    close: (descriptor) => void c.close(descriptor),
  };
}

function optionCalls(c: Functions, arena: Arena): Pick<KernelCalls, "stamp" | "sendAtOnce"> {
  const set = (descriptor: number, level: number, option: number, value: number): void => {
    arena.setValue(value);
    c.setsockopt(descriptor, level, option, arena.pointers.value, arena.valueBytes);
  };
  return {
    stamp: (descriptor) => set(descriptor, solSocket, soTimestamping, stamps),
    sendAtOnce: (descriptor) => set(descriptor, solTcp, noDelay, 1),
  };
}

function infoCalls(c: Functions, arena: Arena): Pick<KernelCalls, "handshake" | "segments"> {
  const { pointers } = arena;
  const hasInfo = (descriptor: number): boolean => {
    arena.prepareInfo();
    return c.getsockopt(descriptor, solTcp, tcpInfo, pointers.info, pointers.valueLength) === 0;
  };
  return {
    handshake: (descriptor) => (hasInfo(descriptor) ? arena.handshake() : null),
    segments: (descriptor) => (hasInfo(descriptor) ? arena.segments() : null),
  };
}

function packetCalls(
  c: Functions,
  arena: Arena,
  resultOf: ResultOf,
): Pick<
  KernelCalls,
  "outbox" | "send" | "leftAt" | "inbox" | "receive" | "peek" | "arrivedAt" | "wall"
> {
  const { pointers } = arena;
  return {
    outbox: arena.outbox,
    inbox: arena.inbox,
    send: (descriptor, length, stamped) => {
      arena.prepareSending(length, stamped);
      return resultOf(c.sendmsg(descriptor, pointers.sentHeader, dontWait | noSignal));
    },
    leftAt: (descriptor) => {
      arena.prepareReceiving(0);
      const got = c.recvmsg(descriptor, pointers.receivedHeader, dontWait | errorQueue);
      return got < 0 ? null : arena.receivedStamp();
    },
    receive: (descriptor, max) => {
      arena.prepareReceiving(max);
      return resultOf(c.recvmsg(descriptor, pointers.receivedHeader, dontWait));
    },
    peek: (descriptor, max) => {
      arena.prepareReceiving(max);
      return resultOf(c.recvmsg(descriptor, pointers.receivedHeader, dontWait | peeking));
    },
    arrivedAt: () => arena.receivedStamp(),
    wall: () => {
      c.clock_gettime(clockRealtime, pointers.timespec);
      return arena.timespec();
    },
  };
}

function waitingCalls(
  c: Functions,
  arena: Arena,
  resultOf: ResultOf,
): Pick<
  KernelCalls,
  "waitingSet" | "watch" | "watchRuntime" | "unwatch" | "wait" | "changeOf" | "runtimeTimeout"
> {
  const { pointers } = arena;
  const loop = c[loopName](c[isolateName]());
  if (loop === 0n) throw new Error("this thread has no event loop");
  const addTo = (set: number, descriptor: number, events: number, id: number): number => {
    arena.setChange(events, id);
    return resultOf(c.epoll_ctl(set, add, descriptor, pointers.change));
  };
  return {
    waitingSet: () => resultOf(c.epoll_create1(closeOnExec)),
    watch: (set, descriptor, id) => addTo(set, descriptor, everyChange, id),
    watchRuntime: (set, id) => addTo(set, c.uv_backend_fd(loop), epollIn, id),
    unwatch: (set, descriptor) => void c.epoll_ctl(set, remove, descriptor, pointers.change),
    wait: (set, timeout) => {
      const got = resultOf(c.epoll_wait(set, pointers.changes, arena.changesMax, timeout));
      return got === interrupted ? 0 : got;
    },
    changeOf: (index) => ({ id: arena.idOf(index), events: arena.eventsOf(index) }),
    runtimeTimeout: () => {
      c.uv_update_time(loop);
      return c.uv_backend_timeout(loop);
    },
  };
}

/** EAFNOSUPPORT: what is asked here was an address before. */
const noAddress = -97;
