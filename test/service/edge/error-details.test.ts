import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#contract/google/rpc/error_details_pb";
import { errorDetails } from "#service/edge/error-details";
import { because, Refusal } from "#service/edge/call-refusal";
import { runningService } from "../../support/running-service.ts";

/** What an answer of the contract says to programs, in the words of google.rpc, beside its headers. */

async function refusalOf(call: Promise<unknown>): Promise<ConnectError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ConnectError) return error;
  throw new Error("the call was not refused");
}

test("a refused request names each of its fields, and the reason with its facts", async () => {
  await using service = await runningService({ clock: systemClock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const refused = await refusalOf(
    service.monitors(key).createHTTPMonitor({
      monitor: { name: "", url: "ftp://a.test/", periodicity: 1 },
    }),
  );
  expect(refused.code).toBe(Code.InvalidArgument);
  const [request] = refused.findDetails(BadRequestSchema);
  expect(request?.fieldViolations).toMatchObject([
    { field: "name", description: "is required" },
    { field: "url", description: "must begin with http:// or https://" },
  ]);
  const [info] = refused.findDetails(ErrorInfoSchema);
  expect(info).toMatchObject({
    reason: "INVALID_ARGUMENT",
    domain: "picket",
    metadata: { field: "name", requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
  });
  expect(refused.findDetails(RetryInfoSchema)).toEqual([]);
  const absent = await refusalOf(service.monitors(key).getMonitor({ id: "77" }));
  const [missing] = absent.findDetails(ErrorInfoSchema);
  expect(missing).toMatchObject({
    reason: "MONITOR_NOT_FOUND",
    metadata: { monitorId: "77" },
  });
});

test("whoever is to come again hears when", () => {
  const headers = { ...because("unavailable"), "retry-after": "8" };
  const details = errorDetails(new Refusal("unavailable", "come again", headers));
  expect(details.map((one) => ("desc" in one ? one.desc.typeName : ""))).toEqual([
    "google.rpc.ErrorInfo",
    "google.rpc.RetryInfo",
  ]);
  expect(details[1]).toMatchObject({ value: { retryDelay: { seconds: 8n, nanos: 0 } } });
});
