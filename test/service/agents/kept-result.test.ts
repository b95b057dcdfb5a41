import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  BatchResultSchema,
  CheckDetailSchema,
  IngestHTTPRequestSchema,
  IngestTCPRequestSchema,
} from "#contract/private_location/v1/private_location_pb";
import { httpDefaults } from "#check/definition";
import { OwnSecrets, unknownSecrets } from "#service/monitors/own-secrets";
import { isKeptOtherwise, keptResult } from "#service/agents/kept-result";

/** Those of a monitor that sends none. */
const noSecrets = new OwnSecrets(httpDefaults);

const secrets = new OwnSecrets({
  ...httpDefaults,
  url: "https://shop.test/?key=query-of-the-shop",
  headers: [{ key: "Authorization", value: "Bearer bearer-of-the-shop" }],
});

const http = (fields: {
  requestStatus: string;
  headers?: string;
  body?: string;
  message?: string;
}) =>
  create(BatchResultSchema, {
    result: { case: "http", value: create(IngestHTTPRequestSchema, fields) },
  });

const withoutBigints = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? 0 : value;

const fieldsOf = ({ result }: ReturnType<typeof http>) =>
  result.case === "http" ? result.value : null;

describe("the report of an HTTP check", () => {
  test("is kept as it came if the check passed and the server sent nothing back", () => {
    const passed = http({ requestStatus: "success", headers: '{"Server":"nginx"}' });
    expect(isKeptOtherwise(passed, secrets)).toBe(false);
    expect(fieldsOf(keptResult(passed, secrets))).toEqual(fieldsOf(passed));
  });

  test("is kept without a body if the check passed", () => {
    const passed = http({ requestStatus: "success", headers: '{"Server":"nginx"}', body: "all" });
    expect(isKeptOtherwise(passed, noSecrets)).toBe(true);
    expect(fieldsOf(keptResult(passed, noSecrets))).toMatchObject({
      headers: '{"Server":"nginx"}',
      body: "",
    });
  });

  test("is kept without what the monitor sent, in headers of what passed, in sentences, assertions and redirects", () => {
    const echo = "to bearer-of-the-shop";
    const failure = { code: "assertion_failed", phase: "assertion", message: echo };
    const detail = create(CheckDetailSchema, {
      failure,
      attempts: [{ failure }],
      evaluations: [{ kind: "header", received: echo }],
      hops: [
        { url: "https://shop.test/?key=query-of-the-shop" },
        { url: "https://shop.test/bearer-of-the-shop" },
      ],
    });
    for (const requestStatus of ["success", "error"]) {
      const came = { ...http({ requestStatus, headers: `{"X-Echo":"${echo}"}` }), detail };
      expect(isKeptOtherwise(came, secrets)).toBe(true);
      const kept = keptResult(came, secrets);
      expect(JSON.stringify(kept, withoutBigints)).not.toContain("bearer-of");
      expect(fieldsOf(kept)?.headers).toBe('{"X-Echo":"to [removed]"}');
      expect(kept.detail?.hops[0]?.url).toBe("https://shop.test/?key=query-of-the-shop");
    }
  });

  test("is kept without tokens in what assertions received, and without what is named like one", () => {
    const detail = create(CheckDetailSchema, {
      evaluations: [
        { kind: "body", expected: 'body contains "x"', received: '{"token": "planted", "a": "b"}' },
        { kind: "json", expected: 'json $.api.token eq "x"', received: '"planted"' },
        { kind: "json", expected: "json $.token exists", received: "" },
        { kind: "json", expected: 'json $.a eq "x"', received: '"b"' },
      ],
    });
    for (const requestStatus of ["success", "degraded", "error"]) {
      const came = { ...http({ requestStatus, headers: "{}" }), detail };
      expect(isKeptOtherwise(came, noSecrets)).toBe(true);
      const kept = keptResult(came, noSecrets).detail?.evaluations;
      expect(kept?.map(({ received }) => received)).toEqual([
        '{"token": "[removed]", "a": "b"}',
        "[removed]",
        "",
        '"b"',
      ]);
    }
  });

  test("is kept as it came if the check passed and its assertions received no credential", () => {
    const detail = create(CheckDetailSchema, {
      evaluations: [
        { kind: "status", expected: "status eq 200", received: "200" },
        { kind: "body", expected: 'body contains "ok"', received: '{"status": "ok"}' },
      ],
    });
    const came = { ...http({ requestStatus: "success", headers: "{}" }), detail };
    expect(isKeptOtherwise(came, secrets)).toBe(false);
    const encoded = Buffer.from("bearer-of-the-shop").toString("base64");
    for (const one of detail.evaluations.filter(({ kind }) => kind === "body"))
      one.received = `Basic ${encoded}`;
    expect(isKeptOtherwise(came, secrets)).toBe(true);
    const kept = keptResult(came, secrets).detail?.evaluations;
    expect(kept?.map(({ received }) => received)).toEqual(["200", "Basic [removed]"]);
  });

  test("is kept with the excerpt of a body that the agent sent, without what the monitor sent, where that of a slow check is", () => {
    const detail = create(CheckDetailSchema, {
      totalNs: 7n,
      answer: { body: "no bearer-of-the-shop", bodyBytes: 9_000n },
    });
    const failed = { ...http({ requestStatus: "error", headers: "{}" }), detail };
    expect(isKeptOtherwise(failed, secrets)).toBe(true);
    const kept = keptResult(failed, secrets);
    expect(JSON.parse(fieldsOf(kept)?.body ?? "")).toEqual({
      excerpt: "no [removed]",
      body_bytes: 9_000,
      headers: 0,
      cut: false,
    });
    expect(kept.detail).toMatchObject({ totalNs: 7n });
    expect(kept.detail?.answer).toBeUndefined();
    const passed = { ...http({ requestStatus: "success" }), detail };
    expect(isKeptOtherwise(passed, noSecrets)).toBe(true);
    expect(keptResult(passed, noSecrets).detail?.answer).toBeUndefined();
    expect(fieldsOf(keptResult(passed, noSecrets))?.body).toBe("");
  });

  test("of a check that passed is looked at in each of its parts", () => {
    const failure = { code: "assertion_failed", phase: "assertion", message: "bearer-of-the-shop" };
    const hops = [{ url: "https://shop.test/" }, { url: "https://shop.test/bearer-of-the-shop" }];
    const details: Readonly<Record<string, MessageInitShape<typeof CheckDetailSchema>>> = {
      "what an assertion received": { evaluations: [{ received: "bearer-of-the-shop" }] },
      "where a redirect led": { hops },
      "its reason": { failure },
      "the reason of an attempt before": { attempts: [{ failure }] },
    };
    for (const [part, fields] of Object.entries(details)) {
      const came = {
        ...http({ requestStatus: "success", headers: "{}" }),
        detail: create(CheckDetailSchema, fields),
      };
      expect(isKeptOtherwise(came, secrets), part).toBe(true);
      expect(JSON.stringify(keptResult(came, secrets).detail, withoutBigints), part).not.toContain(
        "bearer-of",
      );
    }
    expect(
      isKeptOtherwise(http({ requestStatus: "success", message: "bearer-of-the-shop" }), secrets),
    ).toBe(true);
  });

  test("of a monitor whose definition cannot be read has nothing that the server answered", () => {
    const came = http({ requestStatus: "error", headers: '{"A":"b"}', body: "c" });
    const kept = fieldsOf(keptResult(came, unknownSecrets));
    expect(kept?.headers).toBe('{"[removed]":"[removed]"}');
    expect(kept?.body).toBe('{"excerpt":"[removed]","body_bytes":1,"headers":1,"cut":false}');
  });

  test("of another kind is kept as it came", () => {
    const value = create(IngestTCPRequestSchema, { requestStatus: "error", message: "refused" });
    const came = create(BatchResultSchema, { result: { case: "tcp", value } });
    expect(isKeptOtherwise(came, secrets)).toBe(false);
    expect(keptResult(came, secrets)).toBe(came);
  });
});
