import type { Socket } from "node:net";
import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import { firstValue, type HeaderPairs } from "#network/http/headers";
import type { ResponseHead } from "#network/http/response-head";
import { type ParserFault, ResponseParser } from "#network/http/response-parser";
import * as limits from "#limits/wire-limits";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/** A whole answer over HTTP/1.1. */
export interface LineAnswer {
  readonly statusCode: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/**
 * Connections to the service that are kept for the next exchange. Each has one at a time: a request in one write, and its
 * answer read until it is whole. A stream and its events for every request, as the runtime has them, would cost several
 * times as much, and a service without batches is called once a check.
 */
export class ServiceLines {
  readonly #dial: () => Promise<Socket>;
  readonly #clock: Clock;
  /** The one that was used last is used next. As many as had an exchange at the same time, and the service ends them too. */
  #idle: { readonly line: ServiceLine; readonly since: Nanos }[] = [];

  constructor(dial: () => Promise<Socket>, clock: Clock) {
    this.#dial = dial;
    this.#clock = clock;
  }

  /**
   * Sends a POST and resolves with its answer: of a success the body is cut behind `bytesMax`, of another answer behind
   * what an error may have. Throws what the connection fails with, and when `end` aborts.
   */
  async exchange(request: Uint8Array, bytesMax: number, end: EndSignal): Promise<LineAnswer> {
    if (end.aborted) throw ended();
    const line = this.#free() ?? (await this.#dialled(end));
    const answer = await line.exchange(request, bytesMax, end);
    if (line.isFree) this.#idle.push({ line, since: this.#clock.monotonic() });
    return answer;
  }

  #free(): ServiceLine | null {
    const now = this.#clock.monotonic();
    const isStale = (since: Nanos): boolean =>
      nanosToMillis(nanos(now - since)) > limits.serviceIdleMax;
    for (const { line, since } of this.#idle) if (isStale(since)) line.close();
    this.#idle = this.#idle.filter(({ line }) => line.isFree);
    return this.#idle.pop()?.line ?? null;
  }

  /** The dialling has its own deadline. A connection that comes when its call is over is closed. */
  #dialled(end: EndSignal): Promise<ServiceLine> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(ended());
      end.addEventListener("abort", onAbort, { once: true });
      this.#dial()
        .then((socket) => {
          const line = new ServiceLine(socket);
          if (end.aborted) line.close();
          resolve(line);
        })
        .catch(reject)
        .finally(() => end.removeEventListener("abort", onAbort));
    });
  }
}

interface Exchange {
  readonly parser: ResponseParser;
  readonly fail: (error: Error) => void;
}

class ServiceLine {
  readonly #socket: Socket;
  #exchange: Exchange | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    // It keeps no process alive: a call that waits has a deadline, which does.
    socket.unref();
    socket.on("data", (bytes: Buffer) => this.#onBytes(bytes));
    socket.on("end", () => this.#exchange?.parser.end());
    socket.on("error", (error) => this.#exchange?.fail(error));
    socket.on("close", () => this.#exchange?.fail(new Error("the service closed the connection")));
  }

  /** Whether another exchange may begin. */
  get isFree(): boolean {
    return this.#exchange === null && !this.#socket.destroyed && this.#socket.writable;
  }

  close(): void {
    this.#socket.destroy();
  }

  exchange(request: Uint8Array, bytesMax: number, end: EndSignal): Promise<LineAnswer> {
    return new Promise<LineAnswer>((resolve, reject) => {
      const over = (): void => {
        this.#exchange = null;
        end.removeEventListener("abort", onAbort);
      };
      const fail = (error: Error): void => {
        over();
        this.close();
        reject(error);
      };
      const onAbort = (): void => fail(ended());
      const answer = new AnswerIntake(bytesMax, (whole, isLast) => {
        over();
        if (isLast) this.close();
        resolve(whole);
      });
      this.#exchange = { parser: new ResponseParser("POST", answer), fail };
      if (end.aborted) return onAbort();
      end.addEventListener("abort", onAbort, { once: true });
      this.#socket.write(request);
    });
  }

  /** What comes without a question belongs to none: such a connection cannot be trusted with the next one. */
  #onBytes(bytes: Uint8Array): void {
    if (this.#exchange === null) return this.close();
    const { parser, fail } = this.#exchange;
    const fault = parser.push(bytes);
    if (fault !== null)
      fail(new Error(`the service's answer is not valid HTTP: ${faultWords(fault)}`));
  }
}

/** Takes an answer in, and no more of its body than it may have: what is longer is cut there, and refused for it. */
class AnswerIntake {
  readonly #bytesMax: number;
  readonly #whole: (answer: LineAnswer, isLast: boolean) => void;
  readonly #body: Buffer[] = [];
  #head: ResponseHead = { statusCode: 0, version: "1.1", headers: [] };
  #size = 0;
  #isOver = false;

  constructor(bytesMax: number, whole: (answer: LineAnswer, isLast: boolean) => void) {
    this.#bytesMax = bytesMax;
    this.#whole = whole;
  }

  onHeadBegan(): void {}

  onInterim(): void {}

  onHead(head: ResponseHead): void {
    this.#head = head;
  }

  readonly onBody = (bytes: Uint8Array, from: number, to: number): void => {
    if (this.#isOver) return;
    this.#body.push(Buffer.from(bytes.subarray(from, to)));
    this.#size += to - from;
    const isSuccess = this.#head.statusCode === 200;
    if (this.#size > (isSuccess ? this.#bytesMax : limits.serviceErrorBytesMax)) this.#end(true);
  };

  onWhole(): void {
    const { version, headers } = this.#head;
    const ends = /\bclose\b/i.test(firstValue(headers, "connection") ?? "");
    this.#end(version === "1.0" || ends);
  }

  #end(isLast: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { statusCode, headers } = this.#head;
    this.#whole({ statusCode, headers, body: Buffer.concat(this.#body) }, isLast);
  }
}

function faultWords(fault: ParserFault): string {
  switch (fault.code) {
    case "headers_too_large":
      return `its head is over ${fault.max / 1024} KiB`;
    case "protocol_error":
      return fault.why;
  }
}

const ended = (): Error => new Error("the call was ended");
