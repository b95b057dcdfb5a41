import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { openEndpoint } from "#agent/endpoint/endpoint";
import * as limits from "#limits/pages-limits";
import type { ListenAddress } from "#network/listen-address";
import { millis } from "#base/units";
import { type EndpointScene, endpointScene, stuckScene } from "../../support/endpoint-scene.ts";
import { office } from "../../support/office.ts";
import { hanging, monitorWith, unauthenticated, unavailable } from "../../support/twins.ts";

const said = async (answer: Promise<Response>): Promise<readonly [number, string]> => {
  const response = await answer;
  return [response.status, (await response.text()).trim()];
};

interface Told {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A request whose Host and method are what a test says. */
function request(url: string, options: http.RequestOptions): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const asked = http.request(url, { agent: false, ...options }, (response) => {
    let body = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
    );
  });
  asked.on("error", reject);
  asked.end();
  return promise;
}

const portOf = ({ endpoint }: EndpointScene): number => Number(new URL(endpoint.url).port);

describe("what was left out of an assignment", () => {
  test("is on the page, and on the page of its monitor alone", async () => {
    const { get } = await office();
    const remark =
      /Billing\s*<code>b09d7e11<\/code>:\s*<code>headers\[1\]\.key<\/code> is required: the header/;
    for (const path of ["/", "/monitors/b09d7e11"])
      expect(await (await get(path)).text()).toMatch(remark);
    expect(await (await get("/monitors/7f3a1c52")).text()).not.toContain("Left out or changed");
  });
});

test("a client that offers HTTP/2 next to its request is answered over HTTP/1.1", async () => {
  const scene = await endpointScene();
  const socket = net.connect(portOf(scene), "127.0.0.1");
  const offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk";
  socket.write(`GET /livez HTTP/1.1\r\nHost: localhost\r\n${offer}\r\n\r\n`);
  const [answer] = await once(socket, "data");
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

describe("/livez", () => {
  test("is live from the start, and while the service is away", async () => {
    const { clock, controlPlane, get } = await endpointScene({
      prepare: (twins) => void (twins.controlPlane.fault = unavailable),
    });
    expect(await said(get("/livez"))).toEqual([200, "live"]);
    await clock.advance(3_600_000);
    expect(controlPlane.pulls.length).toBeGreaterThan(10);
    expect(await said(get("/livez"))).toEqual([200, "live"]);
  });

  test("is not live when the scheduler does not tick, until it does again", async () => {
    const { clock, get } = await endpointScene({ monitors: [monitorWith()] });
    await clock.advance(10_000);
    clock.suspend(limits.tickAgeMax + 2_000);
    const [status, why] = await said(get("/livez"));
    expect(status).toBe(503);
    expect(why).toMatch(
      /^not live: the scheduler has not looked at the clock for 1[67] s: restart/,
    );
    await clock.advance(2_000);
    expect(await said(get("/livez"))).toEqual([200, "live"]);
  });

  test("is live when the wall clock is set", async () => {
    const { clock, get } = await endpointScene({ monitors: [monitorWith()] });
    await clock.advance(10_000);
    for (const by of [3_600_000, -7_200_000]) {
      clock.stepWall(by);
      expect(await said(get("/livez"))).toEqual([200, "live"]);
    }
  });

  test("is not live when probes are not run for long", async () => {
    const { clock, get } = await stuckScene(millis(limits.probesStuckMax - 500));
    expect((await get("/livez")).status).toBe(200);
    await clock.advance(1_000);
    expect(await said(get("/livez"))).toEqual([
      503,
      expect.stringMatching(/^not live: a probe thread has made no progress for 30 s/),
    ]);
  });

  test("is live while it drains, though no slot is taken any more; ready it is not", async () => {
    const { clock, drain, get } = await endpointScene({
      monitors: [monitorWith()],
      prepare: ({ prober }) => {
        prober.script = ({ kind }, signal) => hanging(kind, signal);
      },
    });
    await clock.advance(6_000);
    expect(await said(get("/readyz"))).toEqual([200, "ready"]);
    drain.abort();
    await clock.advance(limits.tickAgeMax + 5_000);
    expect(await said(get("/livez"))).toEqual([200, "live"]);
    expect(await said(get("/readyz"))).toEqual([
      503,
      "not ready: the agent is stopping: it starts no more checks",
    ]);
  });
});

describe("/readyz", () => {
  test.each([
    [
      "the service is away",
      unavailable,
      /^not ready: no assignment yet: the service cannot be reached\. the service is away\. Check SERVICE_API_URL/,
    ],
    [
      "the token is refused",
      unauthenticated,
      /^not ready: no assignment yet: the service refuses the token\. the token is unknown\. Put this location's token into PICKET_TOKEN_FILE, which is read again without a restart/,
    ],
  ])("tells why there is no assignment when %s", async (_, fault, reason) => {
    const { clock, controlPlane, get } = await endpointScene({
      prepare: (twins) => void (twins.controlPlane.fault = fault),
    });
    await clock.advance(10_000);
    expect(await said(get("/readyz"))).toEqual([503, expect.stringMatching(reason)]);
    controlPlane.fault = null;
    await clock.advance(120_000);
    expect(await said(get("/readyz"))).toEqual([200, "ready"]);
    controlPlane.fault = fault;
    await clock.advance(120_000);
    expect(await said(get("/readyz"))).toEqual([200, "ready"]);
  });
});

const told = (text: readonly string[]) => () => ({ ok: true, text }) as const;

function* endless(): Generator<string> {
  for (;;) yield "picket_up 1\n".repeat(1_000);
}

function* failing(): Generator<string> {
  yield* ["a 1\n", "b 1\n"];
  throw new Error("planted");
}

const closed = (response: http.IncomingMessage): Promise<unknown> =>
  new Promise((resolve) => void response.once("close", resolve));

/** A scrape that is being read; its end is nobody's fault here. */
async function reading(url: string): Promise<http.IncomingMessage> {
  const asked = http.get(`${url}/metrics`, { agent: false }).on("error", () => {});
  const [response]: http.IncomingMessage[] = await once(asked, "response");
  if (response === undefined) throw new Error("no response");
  return response.on("error", () => {}).resume();
}

describe("/metrics", () => {
  test("is what the port gives", async () => {
    const { get } = await endpointScene({ metrics: told(["picket_up 1\n"]) });
    const response = await get("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toBe("picket_up 1\n");
  });
  test("is in pieces if there are many, and all of them arrive in their order", async () => {
    const pieces = Array.from({ length: 500 }, (_, n) => `picket_${n} 1\n`.repeat(100));
    const { get } = await endpointScene({ metrics: told(pieces) });
    const response = await get("/metrics");
    expect(response.headers.get("content-length")).toBe(null);
    expect(await response.text()).toBe(pieces.join(""));
    const head = await fetch(response.url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });
  test("gets a sentence that says what is wrong with its request", async () => {
    const { get } = await endpointScene({
      metrics: (query) => ({ ok: false, message: `no ${query.get("name[]")}` }),
    });
    expect(await said(get("/metrics?name[]=a"))).toEqual([400, "no a"]);
  });
  test("is read by two at once, while everything else is answered, and one piece is never long", async () => {
    const { clock, endpoint, get } = await endpointScene({
      metrics: (query) => ({ ok: true, text: query.has("scope") ? ["short 1\n"] : endless() }),
    });
    const readers = [await reading(endpoint.url), await reading(endpoint.url)];
    expect(await said(get("/metrics"))).toEqual([
      503,
      expect.stringMatching(
        /^2 clients are already reading the metrics: try again .*\?scope=agent/,
      ),
    ]);
    expect(await said(get("/livez"))).toEqual([200, "live"]);
    expect(await said(get("/metrics?scope=agent"))).toEqual([200, "short 1"]);
    readers[0]?.destroy();
    await expect
      .poll(async () => {
        const third = await reading(endpoint.url);
        third.destroy();
        return third.statusCode;
      })
      .toBe(200);
    // Who has not taken it all by then is cut off.
    const cut = closed(readers[1] ?? expect.fail());
    await clock.advance(limits.scrapeWithin);
    await cut;
    expect(readers[1]?.complete).toBe(false);
  });
  test("that fails in the middle is cut off, and said in the log", async () => {
    const { endpoint, log } = await endpointScene({
      metrics: () => ({ ok: true, text: failing() }),
    });
    const response = await reading(endpoint.url);
    await closed(response);
    expect(response.complete).toBe(false);
    expect(log.said).toContainEqual(
      expect.objectContaining({ level: "error", fields: { error: "Error: planted" } }),
    );
  });
  test("is a sentence while there are none", async () => {
    const { get } = await endpointScene();
    expect(await said(get("/metrics"))).toEqual([
      404,
      "This agent has no metrics in Prometheus form.",
    ]);
  });
  test("that fails is our bug: said in the log, not to the reader", async () => {
    const { get, log } = await endpointScene({
      metrics: () => {
        throw new Error("planted");
      },
    });
    expect(await said(get("/metrics"))).toEqual([
      500,
      "This is a bug in Picket: its log says more.",
    ]);
    expect(log.said).toContainEqual(
      expect.objectContaining({ level: "error", fields: { error: "Error: planted" } }),
    );
  });
});

describe("what is asked", () => {
  test("may only be read: every other method is refused, by its name", async () => {
    const { endpoint } = await endpointScene();
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"]) {
      const { status, headers } = await request(`${endpoint.url}/status`, { method });
      expect([method, status, headers.allow]).toEqual([method, 405, "GET, HEAD"]);
    }
    const head = await request(`${endpoint.url}/status`, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(Number(head.headers["content-length"])).toBeGreaterThan(100);
  });

  test("is answered with headers that let nothing in and nothing stay", async () => {
    const { get } = await endpointScene();
    for (const path of ["/", "/status", "/livez", "/nothing", "/style.css"]) {
      const { headers } = await get(path);
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'self';/,
      );
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test.each(["127.0.0.1", "0.0.0.0"])(
    "on %s has to call this machine by an address or by a name that is its own",
    async (listenHost) => {
      const scene = await endpointScene({
        listen: { host: listenHost, port: 0 },
        listenHosts: ["picket.example.com"],
      });
      const port = portOf(scene);
      expect(scene.endpoint.url).toBe(`http://127.0.0.1:${port}`);
      const askedAs = async (host: string): Promise<number> =>
        (await request(`${scene.endpoint.url}/status`, { headers: { host } })).status;
      for (const own of [
        `localhost:${port}`,
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
        // A probe of Kubernetes asks the pod's address; a page of elsewhere is never of an address.
        "10.42.0.7:8686",
        "LOCALHOST:9000",
        hostname(),
        "Picket.Example.com.:443",
      ])
        expect([own, await askedAs(own)]).toEqual([own, 200]);
      for (const other of [
        `rebound.test:${port}`,
        `localhost.rebound.test:${port}`,
        "sub.picket.example.com",
        "127.0.0.1.rebound.test",
        `localhost:${port}@rebound.test`,
      ])
        expect([other, await askedAs(other)]).toEqual([other, 403]);
    },
  );

  test.each([
    "/nothing",
    "/monitors/unknown",
    "/monitors/%E0%A4%A",
    "//elsewhere.test/",
    "/monitors/",
  ])("%s is not there", async (path) => {
    const { endpoint } = await office();
    expect((await request(endpoint.url, { path })).status).toBe(404);
  });

  test.each([
    ["limit=0", "limit must be in 1 to 1000"],
    ["limit=1001", "limit must be in 1 to 1000"],
    ["limit=all", "limit must be in 1 to 1000"],
    ["offset=-1", "offset must be a whole number from 0 on"],
    ["status=fine", "status must be one of error, degraded, unchecked, success"],
  ])("%s is refused in a sentence that names it", async (query, sentence) => {
    const { get } = await endpointScene();
    for (const path of ["/", "/status"])
      expect(await said(get(`${path}?${query}`))).toEqual([400, sentence]);
  });
});

describe("a reader who misbehaves", () => {
  test("by a head without end is refused, and cut off", async () => {
    const { endpoint } = await endpointScene();
    const { status } = await request(`${endpoint.url}/`, {
      headers: { "x-long": "a".repeat(9_000) },
    });
    expect(status).toBe(431);
  });

  test("by sending nothing, or not all, is let go in time, and others are answered meanwhile", async () => {
    const scene = await endpointScene();
    const slow = ["", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "].map((text) => {
      const socket = net.connect(portOf(scene), "127.0.0.1");
      if (text !== "") socket.write(text);
      socket.resume();
      return once(socket, "close");
    });
    expect((await scene.get("/livez")).status).toBe(200);
    await Promise.all(slow);
  });

  test("by more connections than there are, and again whenever it is dropped, keeps no one from /livez", async () => {
    const scene = await endpointScene();
    const open = new Set<net.Socket>();
    let dropped = 0;
    let over = false;
    const hold = (): void => {
      const socket = net.connect(portOf(scene), "127.0.0.1");
      open.add(socket.resume());
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        dropped += 1;
        if (!over) hold();
      });
    };
    const strangers = limits.endpointConnectionsMax + 200;
    for (let count = 0; count < strangers; count += 1) hold();
    await expect.poll(() => dropped).toBeGreaterThan(100);
    const answers: number[] = [];
    for (let asked = 0; asked < 30; asked += 1)
      answers.push((await request(`${scene.endpoint.url}/livez`, {})).status);
    over = true;
    for (const socket of open) socket.destroy();
    expect(answers).toEqual(Array.from({ length: 30 }, () => 200));
  });
});

describe("an address that cannot be had", () => {
  const opened = async (listen: ListenAddress) => {
    const { agent, history, clock, log } = await endpointScene();
    const endpoint = await openEndpoint({
      listenHosts: [],
      listen,
      agent,
      history,
      clock,
      log,
      identity: { version: "0", instance: "a", serviceUrl: "http://a.test" },
      metrics: null,
    });
    return { endpoint, warned: log.said.filter(({ level }) => level === "warn") };
  };
  test("because it is in use costs a warning that says what to do, and nothing else", async () => {
    await using taken = net.createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { endpoint, warned } = await opened({ host: "127.0.0.1", port });
    expect(endpoint).toBeNull();
    expect(warned).toEqual([
      {
        level: "warn",
        message:
          "the local endpoint is closed: it cannot listen on PICKET_LISTEN; checks still run",
        fields: { "error.message": `port ${port} of 127.0.0.1 is in use: give another` },
      },
    ]);
  });
  test("because it is not of this machine, neither", async () => {
    const { endpoint, warned } = await opened({ host: "203.0.113.7", port: 0 });
    expect(endpoint).toBeNull();
    expect(warned.length).toBe(1);
  });
});
