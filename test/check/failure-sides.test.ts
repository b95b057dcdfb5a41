import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failureCodes, isOfServer } from "#check/failure";

test("docs/alerting.md names each code that is a server's own", () => {
  const page = readFileSync(new URL("../../docs/alerting.md", import.meta.url), "utf8");
  const own = Object.keys(failureCodes).filter(isOfServer);
  expect(own).toContain("unexpected_status");
  expect(own.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test("what one fault on the way or of the agent does to many targets is not a server's own", () => {
  const shared = ["dns_timeout", "connect_timeout", "proxy_refused", "agent_error", "icmp_timeout"];
  expect(shared.filter(isOfServer)).toEqual([]);
  expect(isOfServer("a_code_of_a_newer_agent")).toBe(false);
});
