import { describe, expect, test } from "vitest";
import { orderLines, orderModule } from "./network-orders.ts";
import { behindRouters, canRoute } from "./routed-network.ts";

describe.skipIf(!canRoute("timeout"))(
  "a scene of routers fails at once, with its reason first,",
  () => {
    test("if an order fails", async () => {
      const night = `${orderModule} order("true"); order("ip -n r1 link set nowhere down");`;
      await expect(behindRouters({ breakIt: orderLines }, night)).rejects.toThrow(
        /^Error: the order ip -n r1 link set nowhere down failed with 1: .*nowhere/,
      );
    });
    test("if the target ends before it serves", async () => {
      await expect(behindRouters({ target: "process.exit(3)" }, "")).rejects.toThrow(
        /^Error: the target of the scene ended before it served/,
      );
    });
  },
);
