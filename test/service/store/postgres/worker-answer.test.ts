import { expect, test } from "vitest";
import { askWorker } from "#service/store/postgres/worker-answer";
import type { Connections } from "#service/store/postgres/connections";

/** A coordinator that refuses to ask a worker, with an SQLSTATE; everything else it takes. */
const refusing = (code: string): Connections => ({
  use: (work) =>
    work((text) =>
      text.includes("citus_check_connection_to_node")
        ? Promise.reject(Object.assign(new Error("refused"), { code }))
        : Promise.resolve({ rows: [], changed: 0 }),
    ),
  useLong: () => Promise.reject(new Error("a worker's answer does not take long")),
  listen: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

test("a worker is silent if it does not answer in time, and not if the coordinator may not ask it", async () => {
  // query_canceled
  expect(await askWorker(refusing("57014"), 1)).toBe("silent");
  // insufficient_privilege, undefined_function
  expect(await askWorker(refusing("42501"), 1)).toBe("unknown");
  expect(await askWorker(refusing("42883"), 1)).toBe("unknown");
});
