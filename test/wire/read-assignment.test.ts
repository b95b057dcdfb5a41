import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  type DNSMonitorSchema,
  type HTTPMonitorSchema,
  MonitorsResponseSchema,
  StatusCodeAssertionSchema,
  type TCPMonitorSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { Monitor } from "#check/monitor";
import { readAssignment } from "#wire/read-assignment";

interface Init {
  readonly httpMonitors?: MessageInitShape<typeof HTTPMonitorSchema>[];
  readonly tcpMonitors?: MessageInitShape<typeof TCPMonitorSchema>[];
  readonly dnsMonitors?: MessageInitShape<typeof DNSMonitorSchema>[];
}
/** A number that the enum of today does not have. */
const future = Object.assign(create(StatusCodeAssertionSchema, { target: 200n }), {
  comparator: 42,
});
const read = (response: Init): ReturnType<typeof readAssignment> =>
  readAssignment(create(MonitorsResponseSchema, response));
const http = { id: "h", url: "https://a.test/", periodicity: "30s" };

function only(response: Init): Monitor {
  const { monitors } = read(response);
  const [monitor] = monitors;
  if (monitor === undefined || monitors.length !== 1)
    throw new Error(`${monitors.length} monitors`);
  return monitor;
}

describe("an assignment", () => {
  test("takes defaults for what is 0 or absent", () => {
    expect(only({ httpMonitors: [http] })).toMatchObject({
      rejection: null,
      periodicity: 30_000,
      timeout: 45_000,
      degradedAt: null,
      retry: 0,
      target: { kind: "http", method: "GET", followRedirects: false },
      otel: null,
    });
    expect(only({ httpMonitors: [{ ...http, periodicity: "10s", degradedAt: 0n }] })).toMatchObject(
      { rejection: null, periodicity: 10_000, degradedAt: null },
    );
  });

  test("knows every comparator by its number", () => {
    const numbers = [1, 2, 3, 4, 5, 6].map((comparator) => ({ target: 200n, comparator }));
    const strings = Array.from({ length: 10 }, (_, n) => ({ target: "x", comparator: n + 1 }));
    const monitor = only({
      httpMonitors: [{ ...http, statusCodeAssertions: numbers, bodyAssertions: strings }],
    });
    const words =
      monitor.rejection === null ? monitor.assertions.map(({ comparator }) => comparator) : [];
    expect(words).toEqual([
      "eq",
      "neq",
      "gt",
      "gte",
      "lt",
      "lte",
      "contains",
      "not_contains",
      "eq",
      "neq",
      "empty",
      "not_empty",
      "gt",
      "gte",
      "lt",
      "lte",
    ]);
    const records = [1, 2, 3, 4].map((comparator) => ({ record: "mx", target: "x", comparator }));
    expect(
      only({
        dnsMonitors: [{ id: "d", uri: "a.test", periodicity: "1m", recordAssertions: records }],
      }),
    ).toMatchObject({
      target: { types: ["MX"] },
      assertions: ["eq", "neq", "contains", "not_contains"].map((comparator) => ({ comparator })),
    });
  });

  const broken: Record<string, [Init, string]> = {
    "an invalid URL": [{ httpMonitors: [{ ...http, url: "nonsense" }] }, "url is not a valid URL"],
    "an invalid port": [
      { tcpMonitors: [{ id: "t", uri: "a:0", periodicity: "1m" }] },
      "uri has port 0",
    ],
    "an unspecified comparator": [
      { httpMonitors: [{ ...http, bodyAssertions: [{ target: "x", comparator: 0 }] }] },
      'body_assertions[0].comparator must be one of contains, not_contains, eq, neq, empty, not_empty, gt, gte, lt, lte, not "unspecified"',
    ],
    "a comparator of the future": [
      { httpMonitors: [{ ...http, statusCodeAssertions: [future] }] },
      'status_code_assertions[0].comparator must be one of eq, neq, gt, gte, lt, lte, not "comparator 42"',
    ],
    "an unknown record type": [
      {
        dnsMonitors: [
          {
            id: "d",
            uri: "a.test",
            periodicity: "1m",
            recordAssertions: [{ record: "SRV", target: "x", comparator: 1 }],
          },
        ],
      },
      "record_assertions[0].record must be one of A, AAAA, CNAME, MX, TXT",
    ],
    "an odd periodicity": [
      { httpMonitors: [{ ...http, periodicity: "7s" }] },
      "periodicity must be one of 10s, 30s",
    ],
    "a header with a line break": [
      { httpMonitors: [{ ...http, headers: [{ key: "A", value: "b\nsecret" }] }] },
      "headers[0].value holds a line break",
    ],
    "a timeout beyond every number": [
      { httpMonitors: [{ ...http, timeout: 2n ** 62n }] },
      "timeout must be in 0 to 120000",
    ],
  };
  test.each(Object.entries(broken))(
    "keeps a monitor with %s as one that says why it cannot run",
    (_name, [response, sentence]) => {
      const good = { id: "good", uri: "b:1", periodicity: "1m" };
      const { monitors } = read({
        ...response,
        tcpMonitors: [...(response.tcpMonitors ?? []), good],
      });
      const bad = monitors.find(({ id }) => id !== "good");
      expect(bad?.rejection).toMatchObject({ phase: "config" });
      expect(bad?.rejection?.message).toMatch(/^Invalid configuration: /);
      expect(bad?.rejection?.message).toContain(sentence);
      expect(bad?.rejection?.message).not.toContain("secret");
      expect(monitors.find(({ id }) => id === "good")?.rejection).toBeNull();
    },
  );

  test("runs an id that comes twice once, and leaves one without an id out, saying so", () => {
    const { monitors, remarks } = read({ httpMonitors: [http, http, { ...http, id: "" }] });
    expect(monitors).toHaveLength(1);
    expect(remarks).toEqual([
      "monitor h was assigned twice and runs once",
      "a monitor without an id was left out",
    ]);
  });
});
