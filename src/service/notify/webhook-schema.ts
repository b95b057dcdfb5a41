import { failureCodes } from "#check/failure";
import { kinds } from "#check/monitor";
import { latenessReasons } from "#service/notify/event-facts";

/**
 * The JSON schema of a webhook's body, as receivers may read it at /schemas/webhook.json. Fields are only ever added, so it
 * forbids none that it does not know.
 */
export const webhookSchema: Schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "A Picket webhook",
  type: "object",
  required: ["type", "timestamp", "data"],
  properties: {
    type: {
      description: "What happened. Expect types that are not listed here: more may be added.",
      type: "string",
      examples: [
        "monitor.error",
        "monitor.degraded",
        "monitor.recovered",
        "monitor.closed",
        "monitor.reminder",
        "monitor.flapping",
        "monitor.settled",
        "location.offline",
        "location.online",
        "location.trouble",
        "location.well",
        "location.closed",
        "maintenance.started",
        "maintenance.changed",
        "maintenance.ended",
        "channel.failing",
        "test",
      ],
    },
    timestamp: { description: "When it happened.", type: "string", format: "date-time" },
    monitor: {
      description: "With events of a monitor: the monitor, as OpenStatus sends it.",
      type: "object",
      required: ["id", "name", "url"],
      properties: {
        id: { type: ["integer", "string"] },
        name: { type: "string" },
        url: { description: "Its target, without query and user-info.", type: "string" },
      },
    },
    cronTimestamp: { description: "Milliseconds since the Unix epoch.", type: "integer" },
    status: {
      description:
        "As OpenStatus sends it. A monitor that was paused or deleted while it failed is sent as recovered, too: type and data.incident.endedBecause say which it is.",
      enum: ["error", "degraded", "recovered"],
    },
    statusCode: { type: "integer" },
    latency: { description: "Milliseconds.", type: "integer" },
    errorMessage: { type: "string" },
    data: {
      type: "object",
      required: ["service", "message", "late"],
      properties: {
        service: named({ url: optional("string") }, ["url"]),
        message: {
          description:
            "The event in words for people. Its times are in the channel's zone, and name it.",
          type: "object",
          required: ["title", "text"],
          properties: { title: { type: "string" }, text: { type: "string" } },
        },
        late: {
          description: "Why it arrives later than it happened; null when it does not.",
          ...allOf({
            away: { enum: [...latenessReasons] },
            name: { type: "string" },
            from: dateTime(),
            to: dateTime(),
          }),
          type: ["object", "null"],
        },
        incident: {
          type: "object",
          required: ["id", "number", "key", "startedAt", "endedAt", "url", "acknowledged"],
          properties: {
            id: { type: "string" },
            number: { type: "integer" },
            key: { description: "The same for each incident of a monitor.", type: "string" },
            startedAt: dateTime(),
            endedAt: optional("string"),
            endedBecause: {
              description: "Only a recovery says that it is up again. Null while it lasts.",
              enum: ["recovered", "deactivated", "deleted", null],
            },
            downSince: {
              description:
                "With events of a monitor: as startedAt, of the last time that it was well in between.",
              ...dateTime(),
            },
            lasted: {
              description:
                "Of a recovery: milliseconds of it in which the monitor was down (slow if it was never down), slow in addition to that, and seen by no location; and its checks.",
              ...allOf({
                inTrouble: { type: "integer" },
                slow: { type: "integer" },
                unknown: { type: "integer" },
                failedChecks: { type: "integer" },
                slowChecks: { type: "integer" },
              }),
            },
            url: optional("string"),
            acknowledged: { type: "boolean" },
          },
        },
        urgency: { enum: ["critical", "error", "warning", "info"] },
        monitor: named(
          {
            id: { type: "string" },
            kind: { enum: kinds },
            target: { type: "string" },
            labels: { type: "object", additionalProperties: { type: "string" } },
            description: { type: "string" },
            url: optional("string"),
          },
          ["id", "kind", "target", "labels", "description", "url"],
        ),
        locations: {
          type: "array",
          items: named(
            {
              id: { type: "string" },
              status: { enum: ["active", "degraded", "error", "unknown"] },
            },
            ["id", "status"],
          ),
        },
        result: {
          type: ["object", "null"],
          required: ["code", "phase", "message", "attempts", "latency", "threshold", "startedAt"],
          properties: {
            code: {
              description: "Null when the check passed. Expect codes that are not listed here.",
              type: ["string", "null"],
              examples: Object.keys(failureCodes),
            },
            phase: optional("string"),
            message: optional("string"),
            statusCode: optional("integer"),
            attempts: { type: "integer" },
            latency: { description: "Milliseconds.", type: "integer" },
            threshold: { ...optional("integer"), description: "Milliseconds; null is none." },
            startedAt: dateTime(),
          },
        },
        lastGoodAt: optional("string"),
        group: {
          description: "What several monitors have in common at one location; null for none.",
          type: ["object", "null"],
          required: ["key", "location", "code", "phase", "message", "failing", "of"],
          properties: {
            key: { type: "string" },
            location: named({ id: { type: "string" } }, ["id"]),
            failing: { type: "integer" },
            of: { type: "integer" },
          },
        },
        location: named({ id: { type: "string" }, monitorCount: { type: "integer" } }, ["id"]),
        maintenance: allOf({
          id: { type: "string" },
          title: { type: "string" },
          message: { type: "string" },
          from: dateTime(),
          to: dateTime(),
        }),
        down: {
          description: "With location.online: the monitors there that are down.",
          type: "array",
          items: named({ id: { type: "string" }, since: dateTime() }, ["id", "since"]),
        },
        wereDown: {
          description:
            "With location.online: those that were down meanwhile, and for how many milliseconds.",
          type: "array",
          items: named(
            {
              id: { type: "string" },
              from: dateTime(),
              to: dateTime(),
              downFor: { type: "integer" },
            },
            ["id", "from", "to", "downFor"],
          ),
        },
        channel: named(
          { incident: allOf({ number: { type: "integer" }, url: optional("string") }) },
          [],
        ),
      },
    },
  },
};

/** A JSON schema, or a part of one. */
interface Schema {
  readonly [keyword: string]: unknown;
}

function named(properties: Schema, required: readonly string[]): Schema {
  return {
    type: "object",
    required: ["name", ...required],
    properties: { name: { type: "string" }, ...properties },
  };
}

/** An object that has each of these. */
function allOf(properties: Schema): Schema {
  return { type: "object", required: Object.keys(properties), properties };
}

function optional(type: string): Schema {
  return { type: [type, "null"] };
}

function dateTime(): Schema {
  return { type: "string", format: "date-time" };
}
