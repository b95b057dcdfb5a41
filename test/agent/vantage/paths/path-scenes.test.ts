import { beforeAll, describe, expect, test } from "vitest";
import { inOwnNetwork } from "../../../support/own-network.ts";
import { orderLines, orderModule } from "../../../support/network-orders.ts";
import { asAgent, canRoute, targetLines } from "../../../support/routed-network.ts";
import { asDrawn, meshLines } from "./meshed-network.ts";
import { dead, equalCost, inTurns, lossy, notInTurns, pathScenes, well } from "./path-scenes.ts";

/** Accepts connections, and answers whatever question. */
const target = `
  createSocket("udp6").on("message", function (bytes, from) { this.send(bytes, from.port, from.address); }).bind(53);
  createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", ready);`;

const module = `
  ${orderModule}
  import { openFlowAsk } from "#probes/evidence/flow-trace";
  import { systemClock } from "#base/clock";
  import { learned, unknownPath } from "#agent/vantage/path-learning";
  import { nextFailureAsk } from "#agent/vantage/path-failure-plan";
  import { nextQuietAsk } from "#agent/vantage/path-plan";
  import { changeToSay } from "#agent/vantage/said-change";
  const ask = openFlowAsk(systemClock);
  const { signal } = new AbortController();
  const ports = { tcp: 80, udp: 53, icmp: 0 };
  async function play({ protocol = "tcp", family = 4, before = [], between = [], change, failure = "unanswered", traces = 2, isTraced = false, afterTrace = [] }) {
    order([${JSON.stringify(asDrawn)}, ...before].join(" && "));
    const address = family === 4 ? "10.0.8.9" : "fd00:8::9";
    const flow = { protocol, address, port: ports[protocol], sourcePort: 61000 };
    const asked = async (next) => {
      const answers = [];
      for (;;) {
        const ttl = next(answers);
        if (ttl === null) return answers;
        answers.push(await ask(flow, ttl, 60, signal));
      }
    };
    let at = Date.UTC(2026, 0, 1);
    let known = unknownPath("network", flow, at);
    for (let count = 0; count < traces; count += 1) {
      if (count > 0 && between.length > 0) order(count % 2 === 1 ? between.join(" && ") : ${JSON.stringify(asDrawn)});
      known = learned(known, await asked((answers) => nextQuietAsk(known.hops.length === 0 ? null : known, answers, at)), at);
      at += 900_000;
    }
    const knew = known.hops.map(({ ttl, address }) => ttl + " " + address).join(", ") + ", " + known.length;
    order(change.join(" && "));
    const passedAt = at - 60_000;
    if (isTraced) {
      known = learned(known, await asked((answers) => nextQuietAsk(known, answers, at)), at);
      at += 120_000;
    }
    if (afterTrace.length > 0) order(afterTrace.join(" && "));
    const answers = await asked((all) => nextFailureAsk(known, all, at, failure === "stalled"));
    const found = changeToSay({ known, answers, failure, passedAt, at });
    return {
      knew,
      answers: answers.map(({ ttl, address, ended }) => ttl + " " + (address ?? ended)).join(", "),
      said: found === null ? null : [found.kind, found.ttl, found.gone, found.came].map(String).join(" "),
    };
  }
  const found = [];
  for (const scene of ${JSON.stringify(pathScenes)}) {
    const began = performance.now();
    try { found.push(await play(scene)); }
    catch (error) { found.push({ said: String(error) }); }
    if (scene.undo?.length > 0) order(scene.undo.join(" && "));
    found.at(-1).took = performance.now() - began;
  }
  const spread = async (orders, ports, undo) => {
    order([${JSON.stringify(asDrawn)}, ...orders].join(" && "));
    const asked = [];
    for (const sourcePort of ports)
      asked.push((await ask({ protocol: "tcp", address: "10.0.8.9", port: 80, sourcePort }, 2, 60, signal)).address);
    if (undo.length > 0) order(undo.join(" && "));
    return [...new Set(asked)].sort();
  };
  const many = Array.from({ length: 24 }, (_, index) => 61000 + index);
  const same = many.map(() => 61000);
  const spreads = {
    flows: await spread([${JSON.stringify(equalCost)}], many, []),
    flow: await spread([${JSON.stringify(equalCost)}], same, []),
    packets: await spread(${JSON.stringify(inTurns)}, same, ${JSON.stringify(notInTurns)}),
  };
  // The target is silent from the third trace on: each look finds a failure that is its own.
  async function loseSome(traces) {
    order([${JSON.stringify(asDrawn)}, ${JSON.stringify(lossy(0.01))}].join(" && "));
    const flow = { protocol: "tcp", address: "10.0.8.9", port: 80, sourcePort: 61000 };
    let at = Date.UTC(2026, 0, 1);
    let known = unknownPath("network", flow, at);
    const said = [];
    let lost = 0;
    const asked = async (next) => {
      const answers = [];
      for (;;) {
        const ttl = next(answers);
        if (ttl === null) return answers;
        answers.push(await ask(flow, ttl, 40, signal));
      }
    };
    for (let count = 0; count < traces; count += 1) {
      if (count === 2) order(${JSON.stringify(dead("target"))});
      const answers = await asked((all) => nextQuietAsk(known.hops.length === 0 ? null : known, all, at));
      lost += answers.filter(({ ttl, ended }) => ttl < 5 && ended === "silence").length;
      known = learned(known, answers, at);
      at += 900_000;
      for (const failure of count < 2 ? [] : ["unanswered", "stalled"]) {
        const look = await asked((all) => nextFailureAsk(known, all, at, failure === "stalled"));
        const change = changeToSay({ known, answers: look, failure, passedAt: at - 60_000, at });
        if (change !== null) said.push(change);
      }
    }
    order(${JSON.stringify([well("r1"), well("target")].join(" && "))});
    return { said, lost, changes: known.changes, hops: known.hops.map(({ address }) => address) };
  }
  console.log(JSON.stringify({ found, spreads, loss: await loseSome(200) }));
  process.exit(0);`;

describe.skipIf(!canRoute("iptables", "ip6tables", "timeout"))("of what happens to a path", () => {
  let found: readonly { said: string | null; knew: string; answers: string }[] = [];
  let spreads: Readonly<Record<string, readonly string[]>> = {};
  let loss: Readonly<Record<string, unknown>> = {};

  beforeAll(async () => {
    const lines = [...meshLines, ...targetLines(target), ...orderLines, asAgent];
    const { stdout, output } = await inOwnNetwork(lines, module);
    if (!stdout.startsWith("{")) throw new Error(output);
    ({ found, spreads, loss } = JSON.parse(stdout));
  }, 300_000);

  test.each(pathScenes.map((scene, index) => ({ ...scene, index })))(
    "a failure says what it may: $name",
    ({ index, said }) => {
      expect(found[index]).toMatchObject({ said });
    },
  );
  test("routers of equal cost keep a flow's packets together, and those that take turns do not", () => {
    const both = ["10.0.1.2", "10.0.2.2"];
    expect(spreads).toEqual({ flows: both, flow: [expect.any(String)], packets: both });
  });
  test("200 traces that lose packets accuse no router of a target that fails by itself", () => {
    const hops = ["10.0.0.1", "10.0.1.2", "10.0.3.2", "10.0.7.2"];
    expect(loss).toMatchObject({ said: [], changes: [], hops });
    expect(Number(loss["lost"])).toBeGreaterThan(0);
  });
  test("there are 43 scenes", () => {
    expect(found.length).toBe(43);
  });
});
