import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  IngestDNSRequestSchema,
  IngestHTTPRequestSchema,
  IngestTCPRequestSchema,
  MonitorsRequestSchema,
  MonitorsResponseSchema,
  NumberComparator,
  RecordComparator,
  StringComparator,
} from "#contract/private_location/v1/private_location_pb";

/*
 * The wire, byte for byte: each line is a tag (field number × 8 + wire type) and its value. A field that
 * changes its number, or two that are put in order where the wire has them swapped, change these bytes.
 */
const hex = (...lines: readonly string[]): string => lines.join("").replaceAll(" ", "");
const text = (value: string): string =>
  Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]).toString("hex");
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const common = { id: "i", monitorId: "m", latency: 1n, timestamp: 2n, cronTimestamp: 3n };
const commonBytes = [`0a ${text("i")}`, `12 ${text("m")}`, "18 01", "20 02", "28 03"];

describe("the bytes of", () => {
  test("IngestHTTP: url 6, requestStatus 7, message 8, body 9, headers 10, timing 11, statusCode 12, error 13", () => {
    const message = create(IngestHTTPRequestSchema, {
      ...common,
      url: "u",
      requestStatus: "error",
      message: "e",
      body: "b",
      headers: "null",
      timing: "{}",
      statusCode: 500n,
      error: 1n,
    });
    expect(encoded(toBinary(IngestHTTPRequestSchema, message))).toBe(
      hex(
        ...commonBytes,
        `32 ${text("u")}`,
        `3a ${text("error")}`,
        `42 ${text("e")}`,
        `4a ${text("b")}`,
        `52 ${text("null")}`,
        `5a ${text("{}")}`,
        "60 f403",
        "68 01",
      ),
    );
  });

  test("IngestTCP: message 7 and requestStatus 8, the other way round than in HTTP and DNS", () => {
    const message = create(IngestTCPRequestSchema, {
      ...common,
      uri: "u",
      message: "e",
      requestStatus: "error",
      error: 1n,
      timing: "{}",
    });
    expect(encoded(toBinary(IngestTCPRequestSchema, message))).toBe(
      hex(
        ...commonBytes,
        `32 ${text("u")}`,
        `3a ${text("e")}`,
        `42 ${text("error")}`,
        "48 01",
        `52 ${text("{}")}`,
      ),
    );
  });

  test("IngestDNS: records is the map 9 of lists, timing 10, error 11", () => {
    const message = create(IngestDNSRequestSchema, {
      ...common,
      uri: "u",
      requestStatus: "success",
      message: "",
      records: { A: { record: ["1", "2"] } },
      timing: "{}",
      error: 0n,
    });
    const list = hex(`0a ${text("1")}`, `0a ${text("2")}`);
    const entry = hex(
      `0a ${text("A")}`,
      `12 ${(list.length / 2).toString(16).padStart(2, "0")}`,
      list,
    );
    expect(encoded(toBinary(IngestDNSRequestSchema, message))).toBe(
      hex(
        ...commonBytes,
        `32 ${text("u")}`,
        `3a ${text("success")}`,
        `4a ${(entry.length / 2).toString(16).padStart(2, "0")}`,
        entry,
        `52 ${text("{}")}`,
      ),
    );
  });

  test("MonitorsRequest: empty if nothing is known, as the existing agent sends it", () => {
    expect(toBinary(MonitorsRequestSchema, create(MonitorsRequestSchema))).toHaveLength(0);
  });

  test("MonitorsResponse: each kind under its number, degraded_at apart from 0, otel_config 20", () => {
    const sub = (tag: string, ...lines: readonly string[]): string => {
      const bytes = hex(...lines);
      return hex(tag, (bytes.length / 2).toString(16).padStart(2, "0"), bytes);
    };
    const otel = sub("a201", `0a ${text("o")}`, sub("12", `0a ${text("k")}`, `12 ${text("v")}`));
    const http = sub(
      "0a",
      `0a ${text("h")}`,
      `12 ${text("url")}`,
      `1a ${text("30s")}`,
      `22 ${text("GET")}`,
      `2a ${text("b")}`,
      "30 01",
      "38 00",
      "40 03",
      "48 01",
      sub("52", `0a ${text("k")}`, `12 ${text("v")}`),
      sub("5a", "08 c801", "10 01"),
      sub("62", `0a ${text("t")}`, "10 01"),
      sub("6a", `0a ${text("t")}`, "10 0a", `1a ${text("k")}`),
      otel,
    );
    const tcp = sub(
      "12",
      `0a ${text("t")}`,
      `12 ${text("a:1")}`,
      "18 02",
      `2a ${text("1m")}`,
      "30 04",
      otel,
    );
    const dns = sub(
      "1a",
      `0a ${text("d")}`,
      `12 ${text("a")}`,
      "18 02",
      "20 05",
      `2a ${text("1h")}`,
      sub("6a", `0a ${text("MX")}`, "10 04", `1a ${text("x")}`),
    );
    const bytes = Buffer.from(hex(http, tcp, dns, `22 ${text("office")}`), "hex");
    expect(fromBinary(MonitorsResponseSchema, bytes)).toMatchObject({
      httpMonitors: [
        {
          id: "h",
          url: "url",
          periodicity: "30s",
          method: "GET",
          body: "b",
          timeout: 1n,
          degradedAt: 0n,
          retry: 3n,
          followRedirects: true,
          headers: [{ key: "k", value: "v" }],
          statusCodeAssertions: [{ target: 200n, comparator: NumberComparator.EQUAL }],
          bodyAssertions: [{ target: "t", comparator: StringComparator.CONTAINS }],
          headerAssertions: [
            { target: "t", comparator: StringComparator.LESS_THAN_OR_EQUAL, key: "k" },
          ],
          otelConfig: { endpoint: "o", headers: [{ key: "k", value: "v" }] },
        },
      ],
      tcpMonitors: [{ id: "t", uri: "a:1", timeout: 2n, periodicity: "1m", retry: 4n }],
      dnsMonitors: [
        {
          id: "d",
          uri: "a",
          timeout: 2n,
          degradedAt: 5n,
          periodicity: "1h",
          recordAssertions: [
            { record: "MX", comparator: RecordComparator.NOT_CONTAINS, target: "x" },
          ],
        },
      ],
      region: "office",
    });
    expect(fromBinary(MonitorsResponseSchema, bytes).tcpMonitors[0]?.degradedAt).toBeUndefined();
  });
});
