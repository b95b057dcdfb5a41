import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BodyMemory } from "#probes/socket/body-memory";
import type { HttpOutcome } from "#check/outcome";
import { bytes, kibibytes, mebibytes } from "#base/units";
import { type Asking, askAt } from "../../support/asking.ts";
import { told } from "../../support/timing-contract.ts";
import { answers, type Script, tcpPeer } from "../../servers/scripted.ts";

const forever = new AbortController().signal;

describe("the memory for bodies", () => {
  test("is granted in turn, and a claim for more than there is waits for all of it", async () => {
    const memory = new BodyMemory(bytes(10));
    const first = await memory.take(6, forever);
    const granted: string[] = [];
    const all = Promise.resolve(memory.take(100, forever)).then((claim) => {
      granted.push("all");
      return claim;
    });
    const small = Promise.resolve(memory.take(1, forever)).then((claim) => {
      granted.push("small");
      return claim;
    });
    expect(memory.used).toBe(6);
    first?.shrink(2);
    expect(memory.used).toBe(2);
    first?.shrink(0);
    expect(memory.used).toBe(10);
    (await all)?.shrink(0);
    (await small)?.shrink(0);
    expect(granted).toEqual(["all", "small"]);
    expect(memory.used).toBe(0);
  });

  test("is left by a claim that is aborted, and the next has its turn", async () => {
    const memory = new BodyMemory(bytes(10));
    const first = await memory.take(6, forever);
    const giveUp = new AbortController();
    const large = memory.take(8, giveUp.signal);
    const small = memory.take(4, forever);
    giveUp.abort();
    expect(await large).toBeNull();
    (await small)?.shrink(0);
    first?.shrink(0);
    expect(memory.used).toBe(0);
  });
});

describe("checks of large bodies that share it", () => {
  /** All at once; each body is judged and freed before its check counts as over. */
  async function together(
    script: Script,
    count: number,
    context: NonNullable<Asking["context"]> & { readonly bodyMemory: BodyMemory },
  ): Promise<readonly HttpOutcome[]> {
    await using peer = await tcpPeer(script);
    return await Promise.all(
      Array.from({ length: count }, async () => {
        const outcome = await askAt(`http://127.0.0.1:${peer.port}/`, { context });
        context.bodyMemory.claimOf(outcome.response?.body ?? new Uint8Array())?.shrink(0);
        return outcome;
      }),
    );
  }
  const million = Buffer.alloc(1_000_000, "x");
  const peers: Record<string, readonly [head: string, body: Buffer]> = {
    "with a length": [`Content-Length: ${million.length}\r\n`, million],
    "without one": ["", million],
    "that brotli unpacks": ["Content-Encoding: br\r\n", brotliCompressSync(million)],
    "that gzip unpacks": ["Content-Encoding: gzip\r\n", gzipSync(million)],
  };
  test.each(Object.entries(peers))("%s wait for one another", async (_name, [head, body]) => {
    const bodyMemory = new BodyMemory(kibibytes(1_500));
    let most = 0;
    const take = bodyMemory.take.bind(bodyMemory);
    bodyMemory.take = (wanted, signal) => {
      most = Math.max(most, bodyMemory.used);
      return take(wanted, signal);
    };
    const script = answers([`HTTP/1.1 200 OK\r\n${head}\r\n`, body]);
    const outcomes = await together(script, 8, { bodyMemory, bodyBytesMax: mebibytes(1) });
    expect(outcomes.map(told)).toEqual(Array(8).fill("ok"));
    expect(outcomes.map(({ response }) => response?.bodyBytes)).toEqual(Array(8).fill(1_000_000));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(kibibytes(1_500));
    expect(bodyMemory.used).toBe(0);
  });

  test.each(Object.entries(peers))(
    "%s fail as the agent's fault if none ends in time",
    async (_name, [head, body]) => {
      const bodyMemory = new BodyMemory(mebibytes(1));
      await bodyMemory.take(mebibytes(1), forever);
      await using peer = await tcpPeer(answers([`HTTP/1.1 200 OK\r\n${head}\r\n`, body]));
      const url = `http://127.0.0.1:${peer.port}/?q=planted`;
      const outcome = await askAt(url, { context: { bodyMemory }, timeout: 1_000 });
      expect(told(outcome)).toBe("agent_error in agent");
      expect(outcome.failure?.message).toMatch(/^The agent had no memory left for the body of /);
      expect(outcome.failure?.message).not.toContain("planted");
    },
  );

  test("hold no more than was received, if one breaks off", async () => {
    const bodyMemory = new BodyMemory(mebibytes(20));
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n";
    await using peer = await tcpPeer(answers([head, million.subarray(0, 100_000)]));
    const context = { bodyMemory };
    const outcome = await askAt(`http://127.0.0.1:${peer.port}/`, { context });
    expect(told(outcome)).toBe("body_truncated in receive");
    expect(outcome.response?.body.buffer.byteLength).toBe(100_000);
    expect(bodyMemory.used).toBe(100_000);
  });

  test("that had to wait are not called late by the target's fault", async () => {
    const bodyMemory = new BodyMemory(mebibytes(1));
    const all = await bodyMemory.take(mebibytes(1), forever);
    const take = bodyMemory.take.bind(bodyMemory);
    bodyMemory.take = (wanted, signal) => {
      const taken = take(wanted, signal);
      all?.shrink(0);
      return taken;
    };
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    await using peer = await tcpPeer((socket) => {
      socket.once("data", () => socket.write(`${head}beginning`));
    });
    const url = `http://127.0.0.1:${peer.port}/`;
    const outcome = await askAt(url, { context: { bodyMemory }, timeout: 1_000 });
    expect(told(outcome)).toBe("agent_error in agent");
    expect(bodyMemory.used).toBe(0);
  });
});
