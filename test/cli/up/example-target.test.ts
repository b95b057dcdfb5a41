import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode } from "dns-packet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#base/clock";
import { type ExampleTarget, startExampleTarget } from "#cli/up/example-target";
import { assignedMonitor } from "#check/read-monitor";
import { parseDnsUri } from "#check/target";

let target: ExampleTarget;
beforeEach(async () => {
  target = await startExampleTarget(systemClock);
});
afterEach(() => target[Symbol.asyncDispose]());

async function ask(message: Buffer): Promise<Buffer> {
  const uri = parseDnsUri(target.dns.uri);
  const port = uri.ok ? (uri.value.server?.port ?? 0) : 0;
  const socket = createSocket("udp4");
  socket.send(message, port, "127.0.0.1");
  const [answer]: Buffer[] = await once(socket, "message");
  socket.close();
  return answer ?? Buffer.alloc(0);
}

const question = (name: string, type: "A" | "AAAA"): Buffer =>
  encode({ type: "query", id: 7, questions: [{ name, type }] });

describe("the example target", () => {
  it("answers slowly, with 503 and well in turns", async () => {
    const statuses: number[] = [];
    const bodies: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const response = await fetch(target.http.url);
      statuses.push(response.status);
      bodies.push(await response.text());
    }
    expect(statuses).toEqual([200, 503, 200, 200]);
    expect(bodies).toEqual(["slow\n", "failing\n", "fine\n", "slow\n"]);
  });

  it("comes with monitors that the agent can run", () => {
    for (const definition of [target.http, target.dns])
      expect(assignedMonitor("m", definition).monitor).toMatchObject({ rejection: null });
  });

  it("knows the address of its one name, whatever its case", async () => {
    const answer = decode(await ask(question("Picket.EXAMPLE", "A")));
    expect(answer.id).toBe(7);
    expect(answer.answers).toMatchObject([{ type: "A", data: "192.0.2.53" }]);
  });

  it("has no records of another type, and no other name", async () => {
    const other = await ask(question("picket.example", "AAAA"));
    expect(decode(other).answers).toEqual([]);
    expect((other[3] ?? 0) & 15).toBe(0);
    const none = await ask(question("none.example", "A"));
    expect((none[3] ?? 0) & 15).toBe(3);
  });

  it("stays up after a message that is not DNS", async () => {
    const uri = parseDnsUri(target.dns.uri);
    const socket = createSocket("udp4");
    await new Promise((resolve) =>
      socket.send(
        Buffer.from("x"),
        uri.ok ? (uri.value.server?.port ?? 0) : 0,
        "127.0.0.1",
        resolve,
      ),
    );
    socket.close();
    expect(decode(await ask(question("picket.example", "A"))).answers).toHaveLength(1);
  });
});
