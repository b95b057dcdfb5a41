import { describe, expect, test } from "vitest";
import { httpDefaults, type HttpDefinition } from "#check/definition";
import { readMonitor } from "#check/read-monitor";
import { readConfig } from "#agent/settings/config";

const doors = ["management", "assignment"] as const;

/** What is said of a monitor with these fields; null if it is taken. */
function refusalOf(fields: Partial<HttpDefinition>, door: (typeof doors)[number]): string | null {
  const definition = { ...httpDefaults, name: "shop", periodicity: "30s", ...fields };
  const reading = readMonitor("m", definition, door);
  return reading.is === "wrong"
    ? reading.violations.map(({ field, message }) => `${field} ${message}`).join("; ")
    : null;
}

describe.each(doors)("a reference to a secret, at the door of the %s,", (door) => {
  test.each([
    "{{secret:api}}",
    "https://{{secret:api}}/",
    "https://{{secret:api}}.test/",
    "https://shop.test:{{secret:api}}/",
    "{{secret:api}}://shop.test/",
  ])("is refused where a URL says which target is asked: %s", (url) => {
    expect(refusalOf({ url }, door)).toBe(
      "url names a secret in its scheme, host or port: a secret may be in the user-info, the path and the query",
    );
  });

  test.each([
    "https://{{secret:a}}:{{secret:b}}@shop.test/{{secret:c}}?k={{secret:d}}",
    "https://shop.test/{{!secret:api}}",
    "https://shop.test/{{secret}}/{{secrets:api}}/{secret:api}",
  ])("is taken where it is sent, and so are braces that mean something else: %s", (url) => {
    expect(refusalOf({ url }, door)).toBeNull();
  });
});

test.each([{ team: "{{secret:api}}" }, { "{{secret:api}}": "shop" }])(
  "a label, which people and collectors see, may name no secret: %j",
  (labels) => {
    expect(refusalOf({ url: "https://shop.test/", labels }, "management")).toBe(
      "labels name a secret: labels are shown to people, so a secret is put into none of them",
    );
  },
);

test("the name of a proxy is the operator's setting: a reference in it is not a host", () => {
  const { ok, ...reading } = readConfig({
    PICKET_TOKEN: "pkt_loc_1",
    SERVICE_API_URL: "http://127.0.0.1:1",
    PICKET_TARGET_PROXY: "http://{{secret:api}}:3128",
  });
  expect(ok).toBe(false);
  expect("errors" in reading && reading.errors).toEqual([
    expect.stringContaining("PICKET_TARGET_PROXY must be an http or https URL"),
  ]);
});
