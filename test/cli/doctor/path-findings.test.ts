import { expect, test } from "vitest";
import { pathFindings } from "#cli/doctor/path-findings";
import { proberOptions } from "../../support/metering.ts";

const saysWith = (more: Partial<typeof proberOptions>): string | undefined =>
  pathFindings({ probing: { ...proberOptions, ...more } })[0]?.says;

test("it is said whether this machine can trace paths, and by which setting it does not", () => {
  expect(saysWith({ paths: true, evidence: "local" })).toMatch(
    /^this machine can(not)? trace the paths to targets/,
  );
  expect(saysWith({ paths: false, evidence: "local" })).toContain("off by PICKET_PATHS");
  expect(saysWith({ paths: true, evidence: "off" })).toContain("because PICKET_EVIDENCE is off");
});
