import { expect, test } from "vitest";
import { Gate } from "#agent/prober/checks/gate";

test("a gate lets so many in, the rest in their order, and none slips in between", async () => {
  const gate = new Gate(2);
  const { signal } = new AbortController();
  const order: number[] = [];
  let [inside, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      using permit = await gate.enter(signal);
      expect(permit).not.toBeNull();
      order.push(n);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    }),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(2);
});

test("whoever stops waiting gets no permit and takes no place", async () => {
  const gate = new Gate(1);
  const first = await gate.enter(new AbortController().signal);
  const impatient = new AbortController();
  const waiting = gate.enter(impatient.signal);
  impatient.abort();
  expect(await waiting).toBeNull();
  expect(await gate.enter(AbortSignal.abort())).toBeNull();
  first?.[Symbol.dispose]();
  expect(await gate.enter(new AbortController().signal)).not.toBeNull();
});
