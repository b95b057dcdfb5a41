import { describe, expect, test } from "vitest";
import { type Cause, hidesTarget } from "#check/cause";
import { healthy, refused, refusedByRouter, route, Scene, timeout, unresolved } from "./scene.ts";

const said = (cause: Cause | null): string =>
  cause === null ? "target" : `${cause.scope} ${cause.certainty}`;

/** A single monitor fails, the references are asked, and it is judged with what they said. */
function failsBeside(scene: Scene, ask: () => void, how = timeout): Cause | null {
  const seen = scene.failing("one", "10.9.1.1", 0.5, how);
  ask();
  scene.look();
  return scene.vantage.judge(seen);
}

/** No name server is known that could contradict. */
const alone = (): Scene => new Scene({ ...healthy, resolvers: [] });

describe("27: the only monitor fails, and everything is silent", () => {
  test("without a reference it is possible", () => {
    expect(said(alone().fails("one", "10.9.1.1"))).toBe("link possible");
  });

  test("with references that are all silent it is likely, and stays an error", () => {
    const scene = alone();
    const cause = failsBeside(scene, () => {
      scene.asks("10.7.1.1");
      scene.asks("10.8.1.1");
    });
    expect(said(cause)).toBe("gateway likely");
    expect(cause).toMatchObject({
      sentence:
        "nothing beyond the gateway 10.0.0.1 answers, and neither do this agent's references",
      // A reference is no monitor.
      affected: 1,
    });
    expect(cause !== null && hidesTarget(cause)).toBe(false);
  });

  test("with one reference that answers it is the target, whatever the others do", () => {
    for (const answer of [null, refused]) {
      const scene = alone();
      const cause = failsBeside(scene, () => {
        scene.asks("10.7.1.1");
        scene.asks("10.8.1.1", answer);
      });
      expect(said(cause)).toBe("target");
    }
  });

  test("with a reference of this network that answers, the gateway may still be at fault, and the link is not", () => {
    const scene = alone();
    const cause = failsBeside(scene, () => {
      scene.asks("10.0.0.11", null);
      scene.asks("10.7.1.1");
      scene.asks("10.8.1.1");
    });
    expect(said(cause)).toBe("gateway likely");
    const two = alone();
    const unclear = failsBeside(two, () => {
      two.asks("10.0.0.11", null);
      two.asks("10.7.1.1");
    });
    // Two hosts of another network have nothing in common yet, and the link carries.
    expect(said(unclear)).toBe("target");
  });

  test("with references behind another gateway that answer, its own gateway is not cleared", () => {
    const scene = new Scene({
      ...healthy,
      resolvers: [],
      routes: [...healthy.routes, route("10.5.0.0/16", "eth1", "10.0.1.1")],
    });
    scene.look({ silentGateways: ["10.0.0.1"] });
    const cause = failsBeside(scene, () => {
      scene.asks("10.5.1.1", null);
      scene.asks("10.5.2.1", null);
    });
    expect(said(cause)).toBe("gateway proven");
  });
});

describe("a direct look is what proves, and references do not", () => {
  test("4: silent references next to a gateway that the kernel looks for in vain", () => {
    const scene = alone();
    scene.look({ silentGateways: ["10.0.0.1"] });
    const cause = failsBeside(scene, () => scene.asks("10.7.1.1", unresolved), unresolved);
    expect(said(cause)).toBe("gateway proven");
    expect(scene.vantage.conditions.map(({ affected }) => [...affected])).toEqual([["one"]]);
  });

  test("5: silent references next to a gateway that passes nothing on", () => {
    const scene = alone();
    scene.look({ deadEnds: ["10.0.0.1"] });
    expect(said(failsBeside(scene, () => scene.asks("10.7.1.1")))).toBe("gateway proven");
  });

  test("a reference that answers clears at once what a look had proven", () => {
    const scene = alone();
    scene.look({ silentGateways: ["10.0.0.1"] });
    expect(said(scene.fails("one", "10.9.1.1", unresolved))).toBe("gateway proven");
    const cause = failsBeside(scene, () => {
      scene.sight = { ...scene.sight, silentGateways: [] };
      scene.asks("10.7.1.1", null);
      expect(scene.vantage.conditions).toMatchObject([{ state: "recovering" }]);
    });
    // It began before anything answered.
    expect(said(cause)).toBe("gateway proven");
    scene.now += 5_000;
    expect(said(failsBeside(scene, () => scene.asks("10.7.1.1", null)))).toBe("target");
  });

  test("6: a router that refuses a reference shows that the gateway passes packets on", () => {
    const scene = alone();
    const cause = failsBeside(scene, () => scene.asks("10.7.1.1", refusedByRouter("10.0.1.2")));
    expect(said(cause)).toBe("target");
  });

  test("12: a proxy that refuses a reference proves nothing of monitors that go straight", () => {
    const scene = new Scene(healthy, "http://10.0.0.8:3128");
    scene.asks("10.7.1.1", { ...refused, evidence: { peer: "proxy" } });
    expect(scene.vantage.conditions).toEqual([]);
  });
});

test("what carries this network's checks says nothing of the gateway: a failure behind that may still be ours", () => {
  const scene = alone();
  scene.now = 100;
  const far = scene.failing("one", "10.9.1.1", 50);
  scene.passes("near", "10.0.0.11");
  expect(scene.vantage.mayBeOurs(far)).toBe(true);
  scene.passes("two", "10.8.1.1");
  expect(scene.vantage.mayBeOurs(far)).toBe(false);
});
