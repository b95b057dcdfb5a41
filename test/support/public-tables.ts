import {
  type FieldTable,
  flag,
  int32,
  int64,
  many,
  mask,
  message,
  optional,
  text,
  textsByText,
  words,
} from "./field-table.ts";

/** A call of the public contract: the numbers of its request and its answer, and whether it only reads. */
export interface PublicCall {
  readonly service: string;
  readonly reads: boolean;
  readonly request: FieldTable;
  readonly response: FieldTable;
}

/*
 * Every number here is copied by hand from the tables of the public contract, and none from proto/. Extensions are left
 * out, as its own tools do not know them, but for the mask of updates and the locations of a status.
 */
const periodicity = words("PERIODICITY_", "30S 1M 5M 10M 30M 1H");
const status = words("MONITOR_STATUS_", "ACTIVE DEGRADED ERROR");
const method = words("HTTP_METHOD_", "GET POST HEAD PUT PATCH DELETE TRACE CONNECT OPTIONS");
const numberComparator = words(
  "NUMBER_COMPARATOR_",
  "EQUAL NOT_EQUAL GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN LESS_THAN_OR_EQUAL",
);
const stringComparator = words(
  "STRING_COMPARATOR_",
  "CONTAINS NOT_CONTAINS EQUAL NOT_EQUAL EMPTY NOT_EMPTY GREATER_THAN GREATER_THAN_OR_EQUAL LESS_THAN LESS_THAN_OR_EQUAL",
);
const recordComparator = words("RECORD_COMPARATOR_", "EQUAL NOT_EQUAL CONTAINS NOT_CONTAINS");
const timeRange = words("TIME_RANGE_", "1D 7D 14D");
const region = words(
  "REGION_",
  "FLY_AMS FLY_ARN FLY_BOM FLY_CDG FLY_DFW FLY_EWR FLY_FRA FLY_GRU FLY_IAD FLY_JNB FLY_LAX FLY_LHR FLY_NRT FLY_ORD FLY_SJC FLY_SIN FLY_SYD FLY_YYZ KOYEB_FRA KOYEB_PAR KOYEB_SFO KOYEB_SIN KOYEB_TYO KOYEB_WAS RAILWAY_US_WEST2 RAILWAY_US_EAST4 RAILWAY_EUROPE_WEST4 RAILWAY_ASIA_SOUTHEAST1",
);
const requestStatus = words("HTTP_RESPONSE_LOG_REQUEST_STATUS_", "SUCCESS ERROR DEGRADED");
const trigger = words("HTTP_RESPONSE_LOG_TRIGGER_", "CRON API");
const locationStatus = words("PRIVATE_LOCATION_STATUS_", "ACTIVE ERROR");
const servingStatus = words("SERVING_STATUS_", "SERVING NOT_SERVING");

const headers = many(message({ key: [1, text], value: [2, text] }));
const openTelemetry = message({ endpoint: [1, text], headers: [2, headers] });

const httpMonitor = message({
  id: [1, text],
  name: [2, text],
  url: [3, text],
  periodicity: [4, periodicity],
  method: [5, method],
  body: [6, text],
  timeout: [7, int64],
  degradedAt: [8, optional(int64)],
  retry: [9, int64],
  followRedirects: [10, optional(flag)],
  headers: [11, headers],
  statusCodeAssertions: [
    12,
    many(message({ target: [1, int64], comparator: [2, numberComparator] })),
  ],
  bodyAssertions: [13, many(message({ target: [1, text], comparator: [2, stringComparator] }))],
  headerAssertions: [
    14,
    many(message({ target: [1, text], comparator: [2, stringComparator], key: [3, text] })),
  ],
  description: [15, optional(text)],
  active: [16, optional(flag)],
  public: [17, optional(flag)],
  regions: [18, many(region)],
  openTelemetry: [19, openTelemetry],
  status: [20, status],
  privateLocationIds: [21, many(text)],
});

/** An ICMP monitor has the fields of a TCP monitor, under the same numbers. */
const plainMonitor: FieldTable = {
  id: [1, text],
  name: [2, text],
  uri: [3, text],
  periodicity: [4, periodicity],
  timeout: [5, int64],
  degradedAt: [6, optional(int64)],
  retry: [7, int64],
  description: [8, optional(text)],
  active: [9, optional(flag)],
  public: [10, optional(flag)],
  regions: [11, many(region)],
  openTelemetry: [12, openTelemetry],
  status: [13, status],
  privateLocationIds: [14, many(text)],
};
const tcpMonitor = message(plainMonitor);
const icmpMonitor = tcpMonitor;
const grpcMonitor = message({
  ...plainMonitor,
  service: [15, optional(text)],
  tlsMode: [16, optional(words("GRPC_TLS_MODE_", "TLS PLAINTEXT TLS_INSECURE"))],
  metadata: [17, many(message({ key: [1, text], value: [2, text] }))],
});

const dnsMonitor = message({
  id: [1, text],
  name: [2, text],
  uri: [3, text],
  periodicity: [4, periodicity],
  timeout: [5, int64],
  degradedAt: [6, optional(int64)],
  retry: [7, int64],
  recordAssertions: [
    8,
    many(message({ record: [1, text], comparator: [2, recordComparator], target: [3, text] })),
  ],
  description: [9, optional(text)],
  active: [10, optional(flag)],
  public: [11, optional(flag)],
  regions: [12, many(region)],
  openTelemetry: [13, openTelemetry],
  status: [14, status],
  privateLocationIds: [15, many(text)],
});

const logItem = message({
  id: [1, optional(text)],
  latency: [2, int32],
  statusCode: [3, optional(int32)],
  monitorId: [4, text],
  requestStatus: [5, requestStatus],
  region: [6, region],
  cronTimestamp: [7, int64],
  trigger: [8, trigger],
  timestamp: [9, int64],
  timing: [
    10,
    message({
      dns: [1, int32],
      connect: [2, int32],
      tls: [3, int32],
      ttfb: [4, int32],
      transfer: [5, int32],
    }),
  ],
});
const logDetail = message({
  log: [1, logItem],
  url: [2, text],
  error: [3, flag],
  message: [4, optional(text)],
  headers: [5, textsByText],
  assertions: [6, optional(text)],
});
const logPagination = message({
  limit: [1, int32],
  offset: [2, int32],
  hasMore: [3, flag],
  nextOffset: [4, optional(int32)],
});

const location = message({
  id: [1, text],
  name: [2, text],
  token: [3, text],
  monitorIds: [4, many(text)],
  lastSeenAt: [5, text],
  createdAt: [6, text],
  updatedAt: [7, text],
  metadata: [8, textsByText],
  status: [9, locationStatus],
});
const locationSummary = message({
  id: [1, text],
  name: [2, text],
  monitorCount: [3, int32],
  lastSeenAt: [4, text],
  createdAt: [5, text],
  updatedAt: [6, text],
  status: [7, locationStatus],
  metadata: [8, textsByText],
});

const id: FieldTable = { id: [1, text] };
const page: FieldTable = { limit: [1, optional(int32)], offset: [2, optional(int32)] };
const success: FieldTable = { success: [1, flag] };

const ofService =
  (service: string, reads: boolean) =>
  (request: FieldTable, response: FieldTable): PublicCall => ({
    service,
    reads,
    request,
    response,
  });
const monitors = "openstatus.monitor.v1.MonitorService";
const locations = "openstatus.private_location.v1.PrivateLocationService";
const keys = "picket.v1.ApiKeyService";
const [monitorWrite, monitorRead] = [ofService(monitors, false), ofService(monitors, true)];
const [locationWrite, locationRead] = [ofService(locations, false), ofService(locations, true)];

export type PublicCallName =
  | "CreateHTTPMonitor"
  | "CreateTCPMonitor"
  | "CreateDNSMonitor"
  | "UpdateHTTPMonitor"
  | "UpdateTCPMonitor"
  | "UpdateDNSMonitor"
  | "CreateICMPMonitor"
  | "UpdateICMPMonitor"
  | "CreateGRPCMonitor"
  | "UpdateGRPCMonitor"
  | "DeleteMonitor"
  | "TriggerMonitor"
  | "ListMonitors"
  | "GetMonitor"
  | "GetMonitorStatus"
  | "GetMonitorSummary"
  | "ListMonitorHTTPResponseLogs"
  | "GetMonitorHTTPResponseLog"
  | "CreatePrivateLocation"
  | "GetPrivateLocation"
  | "ListPrivateLocations"
  | "UpdatePrivateLocation"
  | "DeletePrivateLocation"
  | "Check"
  | "GetApiKey"
  | "RevokeApiKey";

export const publicCalls: { readonly [N in PublicCallName]: PublicCall } = {
  CreateHTTPMonitor: monitorWrite({ monitor: [1, httpMonitor] }, { monitor: [1, httpMonitor] }),
  CreateTCPMonitor: monitorWrite({ monitor: [1, tcpMonitor] }, { monitor: [1, tcpMonitor] }),
  CreateDNSMonitor: monitorWrite({ monitor: [1, dnsMonitor] }, { monitor: [1, dnsMonitor] }),
  UpdateHTTPMonitor: monitorWrite(
    { ...id, monitor: [2, httpMonitor], updateMask: [100, mask] },
    { monitor: [1, httpMonitor] },
  ),
  UpdateTCPMonitor: monitorWrite(
    { ...id, monitor: [2, tcpMonitor], updateMask: [100, mask] },
    { monitor: [1, tcpMonitor] },
  ),
  UpdateDNSMonitor: monitorWrite(
    { ...id, monitor: [2, dnsMonitor], updateMask: [100, mask] },
    { monitor: [1, dnsMonitor] },
  ),
  CreateICMPMonitor: monitorWrite({ monitor: [1, icmpMonitor] }, { monitor: [1, icmpMonitor] }),
  UpdateICMPMonitor: monitorWrite(
    { ...id, monitor: [2, icmpMonitor], updateMask: [100, mask] },
    { monitor: [1, icmpMonitor] },
  ),
  CreateGRPCMonitor: monitorWrite({ monitor: [1, grpcMonitor] }, { monitor: [1, grpcMonitor] }),
  UpdateGRPCMonitor: monitorWrite(
    { ...id, monitor: [2, grpcMonitor], updateMask: [100, mask] },
    { monitor: [1, grpcMonitor] },
  ),
  DeleteMonitor: monitorWrite(id, success),
  TriggerMonitor: monitorWrite(id, success),
  ListMonitors: monitorRead(page, {
    httpMonitors: [1, many(httpMonitor)],
    tcpMonitors: [2, many(tcpMonitor)],
    dnsMonitors: [3, many(dnsMonitor)],
    totalSize: [4, int32],
    // Numbers that could not be confirmed, here and in the next message.
    icmpMonitors: [5, many(icmpMonitor)],
    grpcMonitors: [6, many(grpcMonitor)],
  }),
  GetMonitor: monitorRead(id, {
    monitor: [
      1,
      message({
        http: [1, httpMonitor],
        tcp: [2, tcpMonitor],
        dns: [3, dnsMonitor],
        icmp: [4, icmpMonitor],
        grpc: [5, grpcMonitor],
      }),
    ],
  }),
  GetMonitorStatus: monitorRead(id, {
    id: [1, text],
    regions: [2, many(message({ region: [1, region], status: [2, status] }))],
    locations: [
      100,
      many(
        message({
          privateLocationId: [1, text],
          name: [2, text],
          status: [3, status],
          since: [4, text],
          lastCheckedAt: [5, text],
          stale: [6, flag],
        }),
      ),
    ],
  }),
  GetMonitorSummary: monitorRead(
    { ...id, timeRange: [2, timeRange], regions: [3, many(region)] },
    {
      id: [1, text],
      lastPingAt: [2, text],
      totalSuccessful: [3, int64],
      totalDegraded: [4, int64],
      totalFailed: [5, int64],
      p50: [6, int64],
      p75: [7, int64],
      p90: [8, int64],
      p95: [9, int64],
      p99: [10, int64],
      timeRange: [11, timeRange],
      regions: [12, many(region)],
    },
  ),
  ListMonitorHTTPResponseLogs: monitorRead(
    {
      ...id,
      fromTimestamp: [2, optional(int64)],
      toTimestamp: [3, optional(int64)],
      limit: [4, optional(int32)],
      offset: [5, optional(int32)],
    },
    { logs: [1, many(logItem)], pagination: [2, logPagination] },
  ),
  GetMonitorHTTPResponseLog: monitorRead({ ...id, logId: [2, text] }, { log: [1, logDetail] }),
  CreatePrivateLocation: locationWrite(
    { name: [1, text], monitorIds: [2, many(text)], metadata: [3, textsByText] },
    { privateLocation: [1, location] },
  ),
  GetPrivateLocation: locationRead(id, { privateLocation: [1, location] }),
  ListPrivateLocations: locationRead(page, {
    privateLocations: [1, many(locationSummary)],
    totalSize: [2, int32],
  }),
  UpdatePrivateLocation: locationWrite(
    {
      ...id,
      name: [2, optional(text)],
      monitorIds: [3, many(text)],
      updateMonitorIds: [4, optional(flag)],
      metadata: [5, textsByText],
      updateMetadata: [6, optional(flag)],
    },
    { privateLocation: [1, location] },
  ),
  DeletePrivateLocation: locationWrite(id, success),
  Check: ofService("openstatus.health.v1.HealthService", true)(
    { service: [1, text] },
    { status: [1, servingStatus] },
  ),
  GetApiKey: ofService(keys, true)(id, {
    apiKey: [
      1,
      message({
        id: [1, text],
        name: [2, text],
        scopes: [3, many(text)],
        createdAt: [4, text],
        prefix: [5, text],
        lastUsedAt: [6, text],
      }),
    ],
  }),
  RevokeApiKey: ofService(keys, false)(id, success),
};
