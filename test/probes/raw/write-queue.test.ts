import fc from "fast-check";
import { expect, test } from "vitest";
import { WriteQueue } from "#probes/raw/write-queue";

test("whatever pieces come and however much the kernel takes, all of it leaves once and in order", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
  const takes = fc.array(fc.integer({ min: 1, max: 32 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(pieces, takes, (all, taken) => {
      const queue = new WriteQueue();
      const room = new Uint8Array(32);
      const left: number[] = [];
      queue.add(all.slice(0, 6));
      for (let turn = 0; queue.size > 0 || turn === 0; turn += 1) {
        const filled = queue.copyTo(room);
        const sent = Math.min(filled, taken[turn % taken.length] ?? 1);
        left.push(...room.subarray(0, sent));
        queue.drop(sent);
        if (turn === 0) queue.add(all.slice(6));
      }
      expect(left).toEqual(all.flatMap((piece) => [...piece]));
      expect(queue.size).toBe(0);
    }),
  );
});
