import { create, isMessage } from "@bufbuild/protobuf";
import { HTTPMonitorSchema as ManagedSchema } from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  BatchResultSchema,
  HTTPMonitorSchema as AssignedSchema,
  IngestHTTPRequestSchema,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import { type HttpDefinition, httpDefaults } from "#check/definition";
import { openUrl } from "#check/target";
import { methodWords, numberOf, wordOf } from "#wire/enum-words";
import { assignedFields, readAssigned } from "#wire/kinds/assigned-fields";
import { writeHttp } from "#wire/kinds/http-result";
import type { KindCodec, ManagedMessages, Mask } from "#wire/kinds/kind-codec";
import {
  managedFields,
  mergedFields,
  noMask,
  some,
  someText,
  taking,
} from "#wire/kinds/managed-fields";
import { httpLists, readHttpLists, type SentFields } from "#wire/monitor-fields";

export const httpCodec: KindCodec<"http"> = {
  assignment: {
    schema: AssignedSchema,
    list: (assignment) => assignment.httpMonitors,
    write: (id, definition) =>
      create(AssignedSchema, {
        ...assignedFields(id, definition),
        ...ownFields(definition),
        method: definition.method,
      }),
    read: (one) => ({
      kind: "http",
      ...readAssigned(one),
      url: one.url,
      method: one.method === "" ? "GET" : one.method,
      body: one.body,
      followRedirects: one.followRedirects,
      ...readHttpLists(one),
    }),
  },
  management: {
    schema: ManagedSchema,
    list: (answer) => answer.httpMonitors,
    write: (definition) =>
      create(ManagedSchema, {
        ...managedFields(definition),
        ...ownFields(definition),
        method: numberOf(methodWords, definition.method.toUpperCase()),
      }),
    merged,
    hideSecrets: hideRequest,
  },
  result: {
    field: BatchResultSchema.field.http,
    fields: IngestHTTPRequestSchema.field,
    call: PrivateLocationService.method.ingestHTTP,
    read: (message) =>
      isMessage(message, IngestHTTPRequestSchema)
        ? { case: "http", value: message }
        : { case: undefined },
    write: writeHttp,
    facts: () => [],
  },
};

const ownFields = (definition: HttpDefinition) =>
  ({
    url: definition.url,
    body: definition.body,
    followRedirects: definition.followRedirects,
    ...httpLists(definition),
  }) satisfies Omit<SentFields<HttpDefinition>, "method">;

function merged(
  monitor: ManagedMessages["http"],
  mask: Mask = noMask,
  before: HttpDefinition = httpDefaults,
): HttpDefinition {
  const take = taking(mask, before, httpDefaults);
  const lists = readHttpLists(monitor);
  return {
    ...mergedFields(monitor, mask, before),
    kind: "http",
    url: take("url", "url", someText(monitor.url)),
    method: take("method", "method", methodOf(monitor.method)),
    body: take("body", "body", someText(monitor.body)),
    followRedirects: take("followRedirects", "follow_redirects", monitor.followRedirects),
    headers: take("headers", "headers", some(lists.headers)),
    statusCodeAssertions: take(
      "statusCodeAssertions",
      "status_code_assertions",
      some(lists.statusCodeAssertions),
    ),
    bodyAssertions: take("bodyAssertions", "body_assertions", some(lists.bodyAssertions)),
    headerAssertions: take("headerAssertions", "header_assertions", some(lists.headerAssertions)),
    jsonAssertions: take("jsonAssertions", "json_assertions", some(lists.jsonAssertions)),
  };
}

const methodOf = (method: number): string | undefined =>
  method === 0 ? undefined : wordOf(methodWords, method, "method");

function hideRequest(monitor: ManagedMessages["http"]): void {
  monitor.url = openUrl(monitor.url);
  monitor.body = "";
  for (const header of monitor.headers) header.value = "";
  for (const assertion of monitor.headerAssertions) assertion.target = "";
}
