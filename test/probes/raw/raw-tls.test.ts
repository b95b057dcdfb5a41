import { once } from "node:events";
import { mkdtempDisposableSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TlsOptions } from "node:tls";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import type { HttpOutcome } from "#check/outcome";
import { noKernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import { loopMarker, threadTimes } from "#probes/socket/marker";
import { runtimeSockets } from "#probes/socket/runtime-sockets";
import { noSocketEvidence } from "#probes/socket/socket-evidence";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { openKernelCalls } from "#probes/raw/kernel-calls";
import { openOpenSsl, type OpenSsl } from "#probes/raw/openssl";
import { onlyRuntime } from "#probes/raw/open-sockets";
import { RawLoop } from "#probes/raw/raw-loop";
import { rawSockets } from "#probes/raw/raw-sockets";
import { RawTls } from "#probes/raw/raw-tls";
import { type Asking, askAt } from "../../support/asking.ts";
import { Authority, type Identity } from "../../support/authority.ts";
import { told } from "../../support/timing-contract.ts";
import { asksForKeys } from "../../servers/endless-keys.ts";
import { answers, type Script, type Scripted, tcpPeer, tlsPeer } from "../../servers/scripted.ts";

/** Beside the suite of all probes, which vitest.config.ts runs over raw sockets, and so with TLS of our own, too. */

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const sessions = { made: 0, freed: 0 };
const tls = new RawTls(counting(openOpenSsl()));
const loop = new RawLoop(openKernelCalls(), systemClock, threadTimes(), new DescriptorList());
const marker = loopMarker(systemClock, loop);
const others = runtimeSockets(marker, noKernelClock, noSocketEvidence);
const own = {
  sockets: rawSockets({ loop, marker, evidence: noSocketEvidence, tls }, others),
  marker,
};
const { sockets, marker: runtimeMarker } = onlyRuntime(
  systemClock,
  openKernelClock(),
  noSocketEvidence,
);
const runtime = { sockets, marker: runtimeMarker };
afterAll(() => {
  tls.end();
  loop.end();
});

/** OpenSSL as it is, whose sessions are counted. */
function counting(openSsl: OpenSsl): OpenSsl {
  const { calls } = openSsl;
  const made = (context: bigint): bigint => {
    sessions.made += 1;
    return calls.SSL_new(context);
  };
  const freed = (ssl: bigint): void => {
    sessions.freed += 1;
    calls.SSL_free(ssl);
  };
  const counted = {
    SSL_new: Object.assign(made, { pointer: calls.SSL_new.pointer }),
    SSL_free: Object.assign(freed, { pointer: calls.SSL_free.pointer }),
  };
  return { ...openSsl, calls: { ...calls, ...counted } };
}

let root: Authority;
let issuing: Authority;
beforeAll(async () => {
  root = await Authority.create("Root");
  issuing = await root.intermediate("Issuing");
});

const ask = (port: number, how: typeof own, more: Asking = {}): Promise<HttpOutcome> =>
  askAt(`https://localhost:${port}/`, { ...more, context: { ca: root.cert, ...how } });

/** What a client says first, without what differs each time. */
interface Hello {
  readonly suites: string;
  readonly extensions: readonly string[];
}

/** RFC 8446 §4.1.2, in the record that it comes in: of the keys, only which they are and how long. */
function helloIn(record: Buffer): Hello {
  const suitesAt = skip(record, 5 + 4 + 2 + 32, 1);
  const compressionAt = skip(record, suitesAt, 2);
  const suites = record.toString("hex", suitesAt + 2, compressionAt);
  const extensions: string[] = [];
  const firstAt = skip(record, compressionAt, 1) + 2;
  for (let at = firstAt; at < record.length; at = skip(record, at + 2, 2)) {
    const type = record.readUInt16BE(at);
    const content = record.subarray(at + 4, skip(record, at + 2, 2));
    extensions.push(`${type} ${type === keyShare ? sharesIn(content) : content.toString("hex")}`);
  }
  return { suites, extensions };
}

/** Where a field ends that begins with its length. */
const skip = (record: Buffer, at: number, lengthBytes: number): number =>
  at + lengthBytes + record.readUIntBE(at, lengthBytes);

const keyShare = 51;

function sharesIn(content: Buffer): string {
  const shares: string[] = [];
  for (let at = 2; at < content.length; at += 4 + content.readUInt16BE(at + 2))
    shares.push(`${content.readUInt16BE(at)}:${content.readUInt16BE(at + 2)}`);
  return shares.join(" ");
}

test.each(["localhost", "127.0.0.1"])(
  "a peer sees the runtime's first message for %s",
  async (host) => {
    const hellos: Hello[] = [];
    await using peer = await tcpPeer((socket) =>
      socket.once("data", (record: Buffer) => {
        hellos.push(helloIn(record));
        socket.destroy();
      }),
    );
    for (const how of [own, runtime])
      for (const http2 of [true, false])
        await askAt(`https://${host}:${peer.port}/`, { context: { ca: root.cert, http2, ...how } });
    expect(hellos).toHaveLength(4);
    expect(hellos.slice(0, 2)).toEqual(hellos.slice(2));
    expect(sessions.made).toBeGreaterThan(0);
  },
);

const chained = ({ cert, key }: Identity, ...above: readonly Authority[]): Identity => ({
  key,
  cert: [cert, ...above.map((authority) => authority.cert)].join("\n"),
});

describe("of a peer the same is said as by the runtime's TLS", () => {
  const peers: Record<string, () => Promise<TlsOptions>> = {
    "whose chain is whole": async () => chained(await issuing.issue(), issuing),
    "that sends its root too": async () => chained(await issuing.issue(), issuing, root),
    "whose chain is out of order": async () => {
      const lower = await issuing.intermediate("Lower");
      return chained(await lower.issue(), issuing, lower);
    },
    "that sends a stranger along": async () =>
      chained(await root.issue(), await Authority.create("Stranger")),
    "that sends one certificate twice": async () =>
      chained(await issuing.issue(), issuing, issuing),
    "that sends an issuer that is not its own": async () => chained(await issuing.issue(), root),
    "with TLS 1.2": async () => ({ ...(await root.issue()), maxVersion: "TLSv1.2" }),
    "with ALPN": async () => ({ ...(await root.issue()), ALPNProtocols: ["http/1.1"] }),
    "with no protocol of ours": async () => ({ ...(await root.issue()), ALPNProtocols: ["smtp"] }),
    "that has only a wildcard": () => root.issue({ altNames: ["*.localhost"], name: "localhost" }),
    "that has only a common name": () => root.issue({ altNames: [], name: "localhost" }),
  };
  test.each(Object.entries(peers))("%s", async (_name, options) => {
    await using peer = await tlsPeer(await options(), answers(ok));
    const [ours, theirs] = [await ask(peer.port, own), await ask(peer.port, runtime)];
    expect(ours.tls).toEqual(theirs.tls);
    expect(ours.failure).toEqual(theirs.failure);
  });
});

/** Passes all on to a peer with TLS, and what comes back through `changed`. */
const passing = (secure: Scripted, changed: (from: Buffer) => AsyncIterable<Buffer>): Script => {
  return (socket) => {
    const beyond = connect(secure.port, "127.0.0.1").on("error", () => {});
    socket.on("error", () => {}).pipe(beyond);
    void (async (): Promise<void> => {
      try {
        for await (const bytes of beyond)
          for await (const part of changed(bytes))
            if (!socket.write(part)) await once(socket, "drain");
        socket.end();
      } catch {
        socket.destroy();
      }
    })();
    socket.once("close", () => beyond.destroy());
  };
};

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "a peer of %s may send byte by byte",
  async (version) => {
    const options = { ...(await root.issue()), minVersion: version, maxVersion: version };
    await using secure = await tlsPeer(options, answers(ok));
    async function* single(from: Buffer): AsyncIterable<Buffer> {
      for (const byte of from) {
        yield Buffer.from([byte]);
        await turn();
      }
    }
    await using peer = await tcpPeer(passing(secure, single));
    expect(told(await ask(peer.port, own))).toBe("ok");
  },
);

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "whichever byte of its first flight by %s is wrong, a peer is refused in words",
  async (version) => {
    const options = { ...(await root.issue()), minVersion: version, maxVersion: version };
    await using secure = await tlsPeer(options, answers(ok));
    let wrong = 0;
    const broken: Script = (socket) => {
      const beyond = connect(secure.port, "127.0.0.1").on("error", () => {});
      socket.on("error", () => {}).pipe(beyond);
      beyond.once("data", (flight: Buffer) => {
        const at = wrong % flight.length;
        flight.writeUInt8(flight.readUInt8(at) ^ (1 << (wrong % 8)), at);
        socket.end(flight);
      });
      socket.once("close", () => beyond.destroy());
    };
    await using peer = await tcpPeer(broken);
    const all = new Set<string>();
    for (; wrong < 1_000; wrong += 7) all.add(told(await ask(peer.port, own)));
    expect(
      [...all].filter((one) => !/^((tls_\w+|not_tls|connection_reset) in tls)$/.test(one)),
    ).toEqual([]);
  },
);

test("a peer of TLS 1.2 may negotiate again, e.g. to ask for a certificate for one path", async () => {
  const options: TlsOptions = { ...(await root.issue()), maxVersion: "TLSv1.2" };
  await using peer = await tlsPeer(options, (socket) =>
    socket.once("data", () => {
      if ("renegotiate" in socket && typeof socket.renegotiate === "function")
        socket.renegotiate({}, () => socket.end(ok));
    }),
  );
  expect(told(await ask(peer.port, own))).toBe("ok");
});

test("a peer that asks for new keys without end is left", async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), "picket-keys-"));
  const identity = await root.issue();
  await using few = await tcpPeer(
    (socket) =>
      void asksForKeys(
        socket.on("error", () => {}),
        identity,
        folder.path,
        5,
      ).then(() => socket.end()),
  );
  expect(told(await ask(few.port, own))).toBe("empty_reply in wait");
  await using many = await tcpPeer(
    (socket) =>
      void asksForKeys(
        socket.on("error", () => {}),
        identity,
        folder.path,
        5_000,
      ),
  );
  const outcome = await ask(many.port, own);
  expect(told(outcome)).toBe("tls_protocol in wait");
  expect(outcome.failure?.message).toContain("too many messages");
});

test("whatever becomes of a check, nothing of its session is left", async () => {
  await using whole = await tlsPeer(await root.issue(), answers(ok));
  await using refused = await tlsPeer(await Authority.selfSigned(), answers(ok));
  await using garbage = await tcpPeer((socket) =>
    socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.2\r\n")),
  );
  await using resets = await tcpPeer((socket) =>
    socket.once("data", () => void socket.resetAndDestroy()),
  );
  await using closes = await tcpPeer((socket) => socket.once("data", () => socket.end()));
  const asked = Promise.withResolvers<unknown>();
  await using silent = await tcpPeer((socket) => socket.once("data", asked.resolve));
  const before = sessions.made;
  const seen: string[] = [];
  for (const { port } of [whole, refused, garbage, resets, closes])
    seen.push(told(await ask(port, own)));
  seen.push(told(await ask(silent.port, own, { timeout: asked.promise })));
  expect(seen).toEqual([
    "ok",
    "tls_self_signed in tls",
    "not_tls in tls",
    "connection_reset in tls",
    "tls_closed in tls",
    "tls_timeout in tls",
  ]);
  expect(sessions.made - before).toBe(6);
  expect(sessions.freed).toBe(sessions.made);
});
