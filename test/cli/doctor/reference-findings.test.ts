import { expect, test } from "vitest";
import { referenceFindings } from "#cli/doctor/reference-findings";
import { parseTargetRules } from "#network/target-rules";
import { tcpPeer } from "../../servers/scripted.ts";
import { proberOptions } from "../../support/metering.ts";

const allOf = async (more: Partial<typeof proberOptions>): Promise<readonly string[]> => {
  const found = await referenceFindings({ probing: { ...proberOptions, ...more } });
  return found.map(({ level, says }) => `${level}: ${says}`);
};

test("the doctor shows of each reference whether it answers, or why not, and nothing if there are none", async () => {
  await using peer = await tcpPeer((socket) => void socket.end());
  const gone = await tcpPeer(() => {});
  await gone[Symbol.asyncDispose]();
  const references = [peer.port, gone.port].map((port) => ({ host: "127.0.0.1", port }));
  expect(await allOf({ references: [] })).toEqual([]);
  expect(await allOf({ references })).toEqual([
    `fine: 127.0.0.1:${peer.port} answers`,
    `warning: 127.0.0.1:${gone.port} does not answer: connection refused (127.0.0.1:${gone.port})`,
  ]);
  const rules = parseTargetRules(["127.0.0.0/8"], "PICKET_TARGET_DENY=");
  const targetRules = { allow: [], deny: rules.ok ? rules.value : [] };
  const [denied] = await allOf({ references, targetRules });
  expect(denied).toBe(
    `warning: 127.0.0.1:${peer.port} does not answer: 127.0.0.1 is denied by PICKET_TARGET_DENY=127.0.0.0/8`,
  );
  expect(await allOf({ references, evidence: "off" })).toEqual([
    "warning: PICKET_EVIDENCE=off: PICKET_REFERENCES has no effect",
  ]);
});
