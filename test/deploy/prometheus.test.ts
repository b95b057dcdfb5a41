import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isInstalled } from "../support/installed.ts";

const rules = path.resolve(import.meta.dirname, "../../deploy/prometheus/picket-alerts.yaml");
const folder = mkdtempSync(path.join(tmpdir(), "picket-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));
const promtool = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
};

describe.skipIf(!isInstalled("promtool"))("the alert rules for Prometheus", () => {
  test("are read by Prometheus' own parser", () => {
    expect(promtool("check", "rules", "--lint-fatal", rules)).toMatchObject({ status: 0 });
  });
  test("fire for what is down, silent or lost, and for nothing else", () => {
    const cases = readFileSync(path.join(import.meta.dirname, "picket-alerts.test.yaml"), "utf8");
    const file = path.join(folder, "cases.yaml");
    writeFileSync(file, cases.replace("RULES", JSON.stringify(rules)));
    const { status, said } = promtool("test", "rules", file);
    expect(said).toContain("SUCCESS");
    expect(status).toBe(0);
  });
});

test("the rules ask for metrics and labels that docs/reference/metrics.md has", () => {
  const page = readFileSync(
    path.resolve(import.meta.dirname, "../../docs/reference/metrics.md"),
    "utf8",
  );
  const { groups }: { groups: { rules: { expr: string }[] }[] } = parse(
    readFileSync(rules, "utf8"),
  );
  const names = groups
    .flatMap((group) => group.rules.map(({ expr }) => expr))
    .flatMap((expr) => [...expr.matchAll(/picket_\w+/g)].map(([name]) => name));
  expect(names.length).toBeGreaterThan(10);
  const dotted = (name: string): boolean =>
    page.includes(`\`${name}\``) || page.replaceAll(".", "_").includes(`\`${name}\``);
  expect(names.filter((name) => !dotted(name))).toEqual([]);
});
