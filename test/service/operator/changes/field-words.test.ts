import { expect, test } from "vitest";
import { byPart } from "#service/operator/changes/colour-changes";
import { cutTimed, timedText } from "#service/operator/changes/timed-text";
import type { FieldChange } from "#service/store/audit/field-change";
import { differingParts, fieldLabel, valueWords } from "#service/operator/changes/field-words";

test("a changed field has the label of its form, and its value the unit and the words of the form", () => {
  const words = (
    kind: "monitor" | "channel" | "maintenance" | "page" | "report",
    field: string,
    value: string,
  ) => `${fieldLabel(kind, field)}: ${valueWords(kind, field, value)}`;
  expect(words("monitor", "degradedAt", "800")).toBe("Degraded above: 800 ms");
  expect(words("monitor", "periodicity", "30s")).toBe("Interval: every 30 seconds");
  expect(words("monitor", "kind", "http")).toBe("Kind: HTTP");
  expect(words("monitor", "kind", "icmp")).toBe("Kind: Ping");
  expect(words("monitor", "active", "false")).toBe("Active: no");
  expect(words("monitor", "alerting", '{"failures":2,"severity":null}')).toBe(
    "Alerting: Failed checks in a row: 2 checks",
  );
  const unwritten = '"failures":0,"degraded":0,"successes":0,"quorum":"","dependsOn":[]';
  expect(words("monitor", "alerting", `{${unwritten},"objective":"99.9%"}`)).toBe(
    "Alerting: Objective: 99.9%",
  );
  const colours = '{"light":{"--foreground":"#112233","--radius":"1rem"},"dark":{}}';
  expect(valueWords("page", "customTheme", colours)).toBe(
    "Text in light: #112233, --radius in light: 1rem",
  );
  expect(words("monitor", "statusCodeAssertions", '[{"comparator":"gte","target":200}]')).toBe(
    "Status code: Comparison: is at least, Code: 200",
  );
  expect(words("channel", "delay", "120000")).toBe("Wait before the first message: 2 min");
  expect(words("channel", "delay", "0")).toBe("Wait before the first message: –");
  expect(words("channel", "reminder", "14400000")).toBe("Repeat every: 4 h");
  expect(words("channel", "events", '["error","maintenance"]')).toBe(
    "Events: A monitor fails, Planned maintenance",
  );
  const nights = '[{"days":[1,2,3,4,5],"from":"22:00","to":"07:00"},{"days":[1,3],"from":"12:00"}]';
  expect(words("channel", "quietHours", nights)).toBe(
    "Quiet hours: Begin on: Monday to Friday, From: 22:00, To: 07:00; Begin on: Monday, Wednesday, From: 12:00",
  );
  expect(valueWords("channel", "quietHours", '[{"days":[],"from":"22:00"}]')).toBe(
    "Begin on: every day, From: 22:00",
  );
  expect(words("channel", "provider", "google_chat")).toBe("Provider: Google Chat");
  expect(words("page", "access", "ip-restriction")).toBe("Who may read it: networks");
  expect(words("page", "locales", '["en","de"]')).toBe(
    "Languages that readers may choose: English, German",
  );
  expect(words("page", "configuration", '{"metric":"requests","bar":"manual"}')).toBe(
    "Look and uptime: Uptime is calculated: by checks that were good, The bar of a day shows: what was reported alone",
  );
  const update = '{"status":"identified","impacts":[{"impact":"degraded_performance"}]}';
  expect(words("report", "update 7", update)).toContain(": State: Identified, Impacts: Impact: ");
  expect(words("report", "update 7", update)).not.toContain("degraded_performance");
  expect(words("channel", "monitors", "–")).toBe("Monitors: –");
  expect(words("maintenance", "from", "2026-11-22T12:00:00.000Z")).toBe(
    "Begins: 2026-11-22T12:00:00.000Z",
  );
  expect(fieldLabel("monitor", "headers: X-Team")).toBe("Headers: X-Team");
  expect(valueWords("monitor", "degradedAt", null)).toBe("–");
  expect(fieldLabel("channel", "configuration")).toBe("Settings of the provider");
  expect(fieldLabel("page", "configuration")).toBe("Look and uptime");
});

test("of two mappings a line shows the parts that differ, and of anything else the whole", () => {
  expect(
    differingParts(
      '{"metric":"requests","bar":"absolute"}',
      '{"metric":"duration","bar":"absolute"}',
    ),
  ).toEqual(['{"metric":"requests"}', '{"metric":"duration"}']);
  expect(differingParts('{"a":[1],"b":1}', '{"a":[1]}')).toEqual(['{"b":1}', "{}"]);
  expect(differingParts("{not JSON}", '{"a":1}')).toEqual(["{not JSON}", '{"a":1}']);
  expect(differingParts(null, '{"a":1}')).toEqual([null, '{"a":1}']);
});

test("of the colours of a page's look each one that differs is a change, and no other", () => {
  const before = '{"light":{"--foreground":"#111","--card":"#fff"},"dark":{}}';
  const after = '{"light":{"--foreground":"#222","--card":"#fff"},"dark":{"--ring":"#333"}}';
  const change = { field: "customTheme", is: "text", before, after } as const;
  const shown = (changes: readonly FieldChange[]) =>
    byPart(changes).map((one) =>
      one.is === "set" ? [] : [fieldLabel("page", one.field), one.before, one.after],
    );
  expect(shown([change])).toEqual([
    ["Text in light", "#111", "#222"],
    ["Focus in dark", null, "#333"],
  ]);
  const cut = { ...change, after: `${after.slice(0, 20)}… (digest)` };
  expect(byPart([cut])).toEqual([cut]);
});

test("an instant in the words of a change is shown in the reader's zone, and cut as a whole", () => {
  const words = "Ends: 2026-11-22T12:00:00.000Z, then <b>";
  const shown = '<time datetime="2026-11-22T12:00:00.000Z">22\u00a0Nov, 12:00:00 UTC</time>';
  expect(timedText(words).text).toBe(`Ends: ${shown}, then &lt;b&gt;`);
  expect(cutTimed(words, 40)).toBe(words);
  expect(cutTimed(words, 30)).toBe("Ends: 2026-11-22T12:00:00.000Z, t…");
  expect(cutTimed(words, 20)).toBe("Ends: …");
  expect(timedText("2026-99-22T12:00:00.000Z").text).toBe("2026-99-22T12:00:00.000Z");
});
