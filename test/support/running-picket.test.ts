import { once } from "node:events";
import path from "node:path";
import { expect, test } from "vitest";
import { startPicket } from "./running-picket.ts";
import { temporaryFolder } from "./running-service.ts";

test("a command of a test has neither the state directory nor the port of this machine's own agent, unless it asks for them", async () => {
  const settings = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const picket = startPicket(["config"], { PICKET_TOKEN: "token", ...env });
    await once(picket.child, "close");
    return picket.output();
  };
  const own = await settings({});
  expect(own).toMatch(/^PICKET_STATE_DIR=.*\/picket-test-\w+\/state {2}\(set\)$/m);
  expect(own).toContain("PICKET_LISTEN=127.0.0.1:0  (set)\n");
  const told = path.join(temporaryFolder(), "told");
  const both = await settings({ PICKET_STATE_DIR: told, PICKET_LISTEN: "off" });
  expect(both).toContain(`PICKET_STATE_DIR=${told}  (set)\n`);
  expect(both).toContain("PICKET_LISTEN=off  (set)\n");
});

test("the first line of a failed comparison shows both sides", () => {
  const compare = (): void => expect({ lost: ["monitor 12 at 10:00:00"], odd: [] }).toEqual({});
  expect(compare).toThrow(
    /^expected { lost: \[ 'monitor 12 at 10:00:00' \], odd: \[\] } to deeply/,
  );
});
