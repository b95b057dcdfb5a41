import { expect, test } from "vitest";
import { judgeAudit } from "../../packaging/audit.ts";

const report = (counts: Readonly<Record<string, number>>, ...names: readonly string[]): string =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(names.map((name) => [name, {}])),
    metadata: { vulnerabilities: counts },
  });

test("a vulnerability counts from moderate on, and is named", () => {
  expect(judgeAudit(report({ low: 0, moderate: 0, high: 0, critical: 0 })).verdict).toBe("clean");
  expect(judgeAudit(report({ low: 3 }, "ms"))).toMatchObject({
    verdict: "clean",
    message: expect.stringContaining("3 are lower"),
  });
  for (const severity of ["moderate", "high", "critical"])
    expect(judgeAudit(report({ [severity]: 1 }, "undici"))).toMatchObject({
      verdict: "vulnerable",
      message: expect.stringContaining("in undici"),
    });
});

test("a registry that cannot be asked is reported as such, and never taken for a clean bill", () => {
  const refused = { message: "405 Method Not Allowed", statusCode: 405, error: {} };
  expect(judgeAudit(JSON.stringify(refused))).toEqual({
    verdict: "unreachable",
    message: expect.stringContaining("405 Method Not Allowed"),
  });
  for (const output of ["", "null", "{}", "npm error audit"])
    expect(judgeAudit(output).verdict).toBe("unreachable");
});
