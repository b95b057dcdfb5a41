import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  type GRPCMonitor,
  type ICMPMonitor,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import { readAssignment } from "#wire/read-assignment";

/** What an agent makes of ping and gRPC monitors that a service assigns: what was let pass there runs as well as it can. */

const read = (monitors: {
  readonly icmp?: Partial<Pick<ICMPMonitor, "uri">>;
  readonly grpc?: Partial<Pick<GRPCMonitor, "uri" | "service" | "tlsMode">> & {
    readonly metadata?: { readonly key: string; readonly value: string }[];
  };
}) => {
  const { monitors: all, remarks } = readAssignment(
    create(MonitorsResponseSchema, {
      icmpMonitors:
        monitors.icmp === undefined
          ? []
          : [{ id: "i", uri: "10.0.0.1", periodicity: "30s", ...monitors.icmp }],
      grpcMonitors:
        monitors.grpc === undefined
          ? []
          : [{ id: "g", uri: "a.test:50051", periodicity: "30s", ...monitors.grpc }],
    }),
  );
  const [monitor] = all;
  return {
    target: monitor?.rejection === null ? monitor.target : null,
    rejection: monitor?.rejection?.message ?? null,
    remarks: remarks.map(({ field, message }) => `${field} ${message}`),
  };
};

test("a ping without our own settings has three echoes, 100 ms apart", () => {
  expect(read({ icmp: { uri: " 10.0.0.1 " } })).toEqual({
    target: { kind: "icmp", host: "10.0.0.1", packets: 3, interval: 100 },
    rejection: null,
    remarks: [],
  });
});

test("a port of a ping is refused in a sentence, which is all of its results", () => {
  expect(read({ icmp: { uri: "ping:10.0.0.1:80" } }).rejection).toBe(
    "Invalid configuration: uri must be a host without a port, for example db.example.com",
  );
  expect(read({ grpc: { uri: "a.test" } }).rejection).toMatch(
    /^Invalid configuration: uri must be host:port/,
  );
  expect(read({ grpc: { service: "s".repeat(513) } }).rejection).toBe(
    "Invalid configuration: service is longer than 512 characters",
  );
});

test("another word for TLS is TLS, with a remark unless it is empty", () => {
  expect(read({ grpc: { tlsMode: "" } })).toMatchObject({
    target: { tlsMode: "tls" },
    remarks: [],
  });
  expect(read({ grpc: { tlsMode: "mutual" } })).toMatchObject({
    target: { tlsMode: "tls" },
    remarks: [
      'tls_mode must be one of tls, plaintext, tls_insecure, not "mutual": TLS is spoken and verified',
    ],
  });
});

test("metadata that are gRPC's own, or that no header can hold, are left out with a remark, and the rest is sent", () => {
  const wrong = [
    ["grpc-timeout", "1S"],
    [":path", "/"],
    ["TE", "trailers"],
    ["content-type", "text/html"],
    ["a b", "x"],
    ["trace-bin", "not base64!"],
    ["city", "Zürich"],
    ["line", "a\nb"],
  ].map(([key = "", value = ""]) => ({ key, value }));
  const fine = [
    { key: "Authorization", value: "Bearer x" },
    { key: "trace-bin", value: "AP8=" },
  ];
  const { target, remarks } = read({ grpc: { metadata: [...wrong, ...fine] } });
  expect(target).toMatchObject({
    metadata: [
      { key: "authorization", value: "Bearer x" },
      { key: "trace-bin", value: "AP8=" },
    ],
  });
  expect(remarks).toHaveLength(wrong.length);
  expect(remarks.every((one) => /^metadata\[\d\]\.(key|value) .*: it is not sent$/.test(one))).toBe(
    true,
  );
  expect(remarks[0]).toBe('metadata[0].key "grpc-timeout" is set by gRPC itself: it is not sent');
  // A value is a secret, also in a remark about it.
  expect(remarks.join()).not.toMatch(/Zürich|not base64!/);
});
