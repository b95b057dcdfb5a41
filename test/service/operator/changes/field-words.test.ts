import { expect, test } from "vitest";
import { fieldLabel, valueWords } from "#service/operator/changes/field-words";

test("a changed field has the label of its form, and its value the unit and the words of the form", () => {
  const words = (kind: "monitor" | "channel" | "maintenance", field: string, value: string) =>
    `${fieldLabel(kind, field)}: ${valueWords(kind, field, value)}`;
  expect(words("monitor", "degradedAt", "800")).toBe("Degraded above: 800 ms");
  expect(words("monitor", "periodicity", "30s")).toBe("Interval: every 30 seconds");
  expect(words("monitor", "active", "false")).toBe("Active: no");
  expect(words("monitor", "alerting", '{"failures":2,"severity":null}')).toBe(
    "Alerting: Failed checks in a row: 2 checks",
  );
  expect(words("channel", "monitors", "–")).toBe("Monitors: –");
  expect(words("maintenance", "from", "2026-11-22T12:00:00.000Z")).toBe(
    "Begins: 22\u00a0Nov, 12:00:00 UTC",
  );
  expect(fieldLabel("monitor", "headers: X-Team")).toBe("Headers: X-Team");
  expect(valueWords("monitor", "degradedAt", null)).toBe("–");
  expect(fieldLabel("channel", "configuration")).toBe("Settings of the provider");
  expect(fieldLabel("page", "configuration")).toBe("Look and uptime");
});
