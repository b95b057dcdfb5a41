import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CheckAnswerSchema } from "#contract/private_location/v1/private_location_pb";
import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/answer-limits";
import { OwnSecrets } from "#service/monitors/own-secrets";
import {
  answerIn,
  keptFields,
  openHeaders,
  type ServerAnswer,
} from "#service/monitors/server-answer";

/** Those of a monitor that sends none. */
const noSecrets = new OwnSecrets(httpDefaults);

const read = (
  headers: Readonly<Record<string, string>>,
  body = "",
  secrets: OwnSecrets = noSecrets,
): ServerAnswer | null => answerIn({ headers: JSON.stringify(headers), body }, secrets);

const valuesOf = (answer: ServerAnswer | null): Record<string, string | null> =>
  Object.fromEntries((answer?.headers ?? []).map(({ name, value }) => [name, value]));

describe("what a server answered", () => {
  test("is nothing where no response came", () => {
    expect(answerIn({ headers: "null", body: "" }, noSecrets)).toBeNull();
  });

  test("has the values of headers, but for those that may be credentials", () => {
    const answer = read({
      "Content-Type": "text/html",
      "Retry-After": "120",
      "Set-Cookie": "session=abc",
      Authorization: "Bearer abc",
      "Www-Authenticate": 'Basic realm="x"',
      "Proxy-Authenticate": "Digest nonce=abc",
      "X-Api-Key": "abc",
      "X-Csrf-Token": "abc",
      Location: "https://shop.test/next?code=abc",
    });
    expect(valuesOf(answer)).toEqual({
      "Content-Type": "text/html",
      "Retry-After": "120",
      "Set-Cookie": null,
      Authorization: null,
      "Www-Authenticate": null,
      "Proxy-Authenticate": null,
      "X-Api-Key": null,
      "X-Csrf-Token": null,
      Location: "https://shop.test/next?[removed]",
    });
  });

  test("is cut to so many headers, each to its length, and the number of all is kept", () => {
    const many = Object.fromEntries(
      Array.from({ length: 33 }, (_, at) => [`X-Part-${at}`, "v".repeat(1_000)]),
    );
    const answer = read(many);
    expect(answer?.headers).toHaveLength(limits.answerHeadersMax);
    expect(answer?.headerCount).toBe(33);
    expect(answer?.headers[0]?.value).toHaveLength(limits.answerHeaderValueCharsMax);
    expect(answer?.headers[0]?.value?.endsWith("…")).toBe(true);
  });

  test("is cut to the beginning of its body, through no character, and the size of all is kept", () => {
    const body = "ä€😀".repeat(2_000);
    const answer = read({}, body);
    expect(body.startsWith(answer?.body?.excerpt ?? "no")).toBe(true);
    const bytes = Buffer.byteLength(answer?.body?.excerpt ?? "");
    expect(bytes).toBeLessThanOrEqual(limits.answerBodyBytesMax);
    expect(bytes).toBeGreaterThan(limits.answerBodyBytesMax - 4);
    expect(answer?.body?.bytes).toBe(Buffer.byteLength(body));
  });

  test("has no tokens in its body: none by its form, and none by the name of its field", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";
    const body = `{"access_token": "abc\\"def", "user": "ann", "note": "${jwt}", "password":"never ends`;
    expect(read({ "X-Note": jwt }, body)).toMatchObject({
      headers: [{ value: "[removed]" }],
      body: {
        excerpt: `{"access_token": "[removed]", "user": "ann", "note": "[removed]", "password":"[removed]"`,
      },
    });
  });

  test("is small in the store, whatever an agent sends", () => {
    const headers = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`X-${at}-${"n".repeat(500)}`, "€".repeat(2_000)]),
    );
    for (const part of ["\0", '"', "\ufffd", "€", "\n"]) {
      const answer = read(headers, part.repeat(60_000));
      if (answer === null) throw new Error("there is an answer");
      const { headers: kept, body } = keptFields(answer);
      expect(Buffer.byteLength(kept)).toBeLessThan(18_000);
      expect(Buffer.byteLength(body)).toBeLessThan(3 * limits.answerBodyBytesMax);
    }
  });

  test("is not taken for one that was kept, whatever the server sends", () => {
    const body = '{"excerpt":"hello","body_bytes":5,"headers":7}';
    const came = answerIn({ headers: "{}", body, isAsItCame: true }, noSecrets);
    expect(came).toMatchObject({ headerCount: 0, body: { excerpt: body } });
    const odd = '{"excerpt":"hello","body_bytes":-5,"headers":1e300}';
    expect(answerIn({ headers: "{}", body: odd }, noSecrets)?.body?.excerpt).toBe(odd);
  });

  test("is given to programs with whole values, and without what a person does not see", () => {
    const headers = JSON.stringify({
      "Content-Security-Policy": "a".repeat(300),
      "WWW-Authenticate": "Digest nonce=abc",
      "X-Echo": "the k3y-of-the-shop",
    });
    const secrets = new OwnSecrets({
      ...httpDefaults,
      headers: [{ key: "X-Key", value: "k3y-of-the-shop" }],
    });
    expect(openHeaders(headers, secrets)).toEqual({
      "Content-Security-Policy": "a".repeat(300),
      "WWW-Authenticate": "[removed]",
      "X-Echo": "the [removed]",
    });
  });

  test("is read from the store as it was kept, and kept anew is the same", () => {
    const headers = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`X-Part-${at}`, "v".repeat(300)]),
    );
    const answer = read({ "Set-Cookie": "a=b", ...headers }, `{"error": "${"no ".repeat(2_000)}"}`);
    if (answer === null) throw new Error("there is an answer");
    const again = answerIn(keptFields(answer), noSecrets);
    expect(again).toEqual(answer);
  });

  test("has the excerpt that an agent sends of a failed check, with the length of the whole body", () => {
    const came = (fields: MessageInitShape<typeof CheckAnswerSchema>, secrets = noSecrets) =>
      answerIn({ headers: "{}", body: "", extension: create(CheckAnswerSchema, fields) }, secrets)
        ?.body;
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";
    expect(came({ body: `no ${jwt}`, bodyBytes: 9_000_000n, bodyCut: true })).toEqual({
      excerpt: "no [removed]",
      bytes: 9_000_000,
      isCut: true,
    });
    expect(came({})).toEqual({ excerpt: "", bytes: 0, isCut: false });
    expect(came({ bodyBytes: -1n, body: "x".repeat(90_000) })).toEqual({
      excerpt: "x".repeat(limits.answerBodyBytesMax),
      bytes: 0,
      isCut: false,
    });
    expect(answerIn({ headers: "{}", body: "" }, noSecrets)).toBeNull();
    expect(answerIn({ headers: '{"A":"b"}', body: "" }, noSecrets)?.body).toBeNull();
    const secrets = new OwnSecrets({
      ...httpDefaults,
      headers: [{ key: "X-Api-Key", value: "k3y-of-the-shop" }],
    });
    // The agent cut the excerpt within what the monitor sent.
    expect(came({ body: "you sent k3y-of-t", bodyBytes: 99n }, secrets)?.excerpt).toBe(
      "you sent [removed]",
    );
    expect(came({ body: "you sent k3y-of-t", bodyBytes: 17n }, secrets)?.excerpt).toBe(
      "you sent k3y-of-t",
    );
  });

  test("is read anew as it was kept, whether an agent sent a body, an empty one or none, and of an older version", () => {
    const headers = '{"A":"b"}';
    for (const extension of [
      undefined,
      create(CheckAnswerSchema, {}),
      create(CheckAnswerSchema, { bodyBytes: 70_000n }),
      create(CheckAnswerSchema, { body: "no", bodyBytes: 70_000n, bodyCut: true }),
    ]) {
      const answer = answerIn({ headers, body: "", extension }, noSecrets);
      if (answer === null) throw new Error("there is an answer");
      expect(answerIn(keptFields(answer), noSecrets)).toEqual(answer);
    }
    const older = '{"excerpt":"","body_bytes":0,"headers":1}';
    expect(answerIn({ headers, body: older }, noSecrets)?.body).toBeNull();
    // It keeps what it does not know as it came.
    const extension = create(CheckAnswerSchema, { body: "no", bodyBytes: 2n });
    expect(answerIn({ headers, body: older, extension }, noSecrets)?.body?.excerpt).toBe("no");
    const slow = '{"excerpt":"<p>","body_bytes":65535,"headers":1}';
    expect(answerIn({ headers, body: slow }, noSecrets)?.body).toMatchObject({ isCut: true });
  });

  test("has nothing that the monitor itself sent, in any spelling, nor a part of it where the excerpt ends", () => {
    const secrets = new OwnSecrets({
      ...httpDefaults,
      url: "https://ann:s3cret-pass@shop.test/?key=query-value",
      headers: [
        { key: "X-Api-Key", value: "k3y-of-the-shop" },
        { key: "Accept", value: "application/json" },
      ],
      body: '{"pin": "1", "api_token": "t0ken-in-body"}',
    });
    const long = `${"x".repeat(limits.answerCharsSearched - 8)}k3y-of-the-shop`;
    const sent = ["k3y-of-the-shop", "k3y%2Dof-the-shop", "s3cret-pass", "query-value"];
    const body = ["you sent application/json", ...sent, "t0ken-in-body"].join(" ");
    const answer = read({ "X-Echo": "s3cret-pass", "X-Ok": "fine" }, body, secrets);
    expect(answer?.body?.excerpt).toBe(
      `you sent application/json ${Array.from({ length: 5 }, () => "[removed]").join(" ")}`,
    );
    expect(valuesOf(answer)).toEqual({ "X-Echo": "[removed]", "X-Ok": "fine" });
    expect(read({}, long, secrets)?.body?.excerpt).not.toContain("k3y-of");
  });
});
