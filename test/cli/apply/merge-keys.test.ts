import { describe, expect, test } from "vitest";
import { readTexts } from "../../support/configuration-text.ts";

/** The monitors of a file, or what is wrong with it and where. */
function read(text: string): unknown {
  const reading = readTexts({ "a.yaml": text });
  if (reading.ok) return reading.configuration.monitors;
  const mistakes = reading.mistakes.get("a.yaml") ?? [];
  return mistakes.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}

const common = `x-common: &common
  periodicity: 1m
  retry: 1
  timeout: 5000
x-slow: &slow
  periodicity: 10m
  degraded_at: 900
`;

describe("a merge key", () => {
  test("brings the keys of a mapping, or of several, and a mapping's own keys win", () => {
    const text = `${common}http_monitors:
  - <<: *common
    name: shop
    url: https://shop.test/
    retry: 3
  - { name: desk, url: "https://desk.test/", <<: [*slow, *common] }
  - name: both
    url: https://both.test/
    <<: { <<: *common, timeout: 7000 }
`;
    expect(read(text)).toMatchObject([
      { name: "shop", periodicity: "1m", retry: 3, timeout: 5000, degradedAt: null },
      { name: "desk", periodicity: "10m", retry: 1, timeout: 5000, degradedAt: 900 },
      { name: "both", periodicity: "1m", retry: 1, timeout: 7000 },
    ]);
  });

  test("leaves a mistake where it was written", () => {
    const text = `${common.replace("1m", "2m")}http_monitors:
  - name: shop
    url: https://shop.test/
    <<: *common
`;
    expect(read(text)).toEqual([
      expect.stringMatching(/^2:16 http_monitors\[0\]\.periodicity: must be one of 30s, /),
    ]);
  });

  test.each(["<<: text", "<<: [{ retry: 1 }, 2]", "<<:"])(
    "is refused by its place if it has no mapping: %s",
    (line) => {
      const monitor = "  - { name: shop, url: https://shop.test/, periodicity: 30s }\n";
      expect(read(`http_monitors:\n${monitor}${line}\n`)).toEqual([
        "3:1 : << takes a mapping, or a list of mappings, e.g. <<: *defaults",
      ]);
    },
  );

  test("cannot make a small file say an endless lot", () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}: 1`).join(", ");
    const uses = "  - <<: *many\n".repeat(2_000);
    expect(read(`x-many: &many { ${keys} }\nhttp_monitors:\n${uses}`)).toEqual([
      expect.stringMatching(/the file has more than \d+ values; too many aliases\?$/),
    ]);
  });
});

test("a key of the file that begins with x- is its author's own; a deeper one is a mistake", () => {
  const monitor = "name: shop, url: https://shop.test/, periodicity: 30s";
  expect(read(`x-team: { of: us }\nhttp_monitors:\n  - { ${monitor} }\n`)).toMatchObject([
    { name: "shop" },
  ]);
  expect(read(`http_monitors:\n  - { ${monitor}, x-team: us }\n`)).toEqual([
    expect.stringMatching(/^2:\d+ http_monitors\[0\]\.x-team: is not a known key; /),
  ]);
});
