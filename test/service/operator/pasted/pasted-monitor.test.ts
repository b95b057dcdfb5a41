import { expect, test } from "vitest";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";

test.each([
  ["https://shop.example/health", "http", "url", "https://shop.example/health"],
  ["shop.example/health", "http", "url", "https://shop.example/health"],
  ["127.0.0.1:8080/health", "http", "url", "http://127.0.0.1:8080/health"],
  ["shop.example:8443/health?deep=1", "http", "url", "https://shop.example:8443/health?deep=1"],
  ["[2001:db8::1]:3000/", "http", "url", "http://[2001:db8::1]:3000/"],
  ["db.example:5432", "tcp", "uri", "db.example:5432"],
  ["10.20.0.1", "icmp", "uri", "10.20.0.1"],
  ["mysql://db.example", "tcp", "uri", "db.example:3306"],
  ["postgres://ann:p%40ss@db.example/shop?sslmode=require", "tcp", "uri", "db.example:5432"],
  ["postgresql://db.example:6432/shop", "tcp", "uri", "db.example:6432"],
  ["redis://:secret@10.0.0.1:6380/0", "tcp", "uri", "10.0.0.1:6380"],
  ["rediss://cache.example", "tcp", "uri", "cache.example:6379"],
  ["amqp://[2001:db8::1]/vhost", "tcp", "uri", "[2001:db8::1]:5672"],
  ["AMQPS://mq.example", "tcp", "uri", "mq.example:5671"],
  ["mongodb://a.example,b.example:27018/shop", "tcp", "uri", "a.example:27017"],
  ["grpcurl -plaintext orders.example:50051 list", "grpc", "uri", "orders.example:50051"],
])("%s is pasted as a monitor of kind %s", (pasted, kind, field, value) => {
  const monitor = pastedMonitor(pasted);
  expect(monitor?.kind).toBe(kind);
  expect(monitor?.fields.get(field)).toBe(value);
});

test.each([
  "",
  "no address at all",
  "ftp://shop.example",
  "shop.example:port/health",
  "mysql://",
  "mongodb+srv://a.example",
  "grpcurl",
  "grpcurl -d '{}'",
])("%j cannot be checked", (pasted) => {
  expect(pastedMonitor(pasted)).toBeNull();
});

test("a grpcurl command is a gRPC monitor with its service, TLS, metadata and timeout", () => {
  const asks = "grpc.health.v1.Health/Check";
  const plain = pastedMonitor(`grpcurl -plaintext orders.example:50051 ${asks}`);
  expect(Object.fromEntries(plain?.fields ?? [])).toEqual({
    uri: "orders.example:50051",
    service: "",
    tls_mode: "plaintext",
  });
  expect(plain?.leftOut).toEqual([]);
  const whole = pastedMonitor(
    `grpcurl --insecure -v -max-time=5 -H 'Authorization: Bearer a:b' \\\n -d '{"service":"shop.v1.Orders"}' orders.example:443 grpc.health.v1.Health.Check`,
  );
  expect(Object.fromEntries(whole?.fields ?? [])).toEqual({
    uri: "orders.example:443",
    service: "shop.v1.Orders",
    tls_mode: "tls_insecure",
    timeout: expect.stringMatching(/^5\ss$/),
  });
  expect(whole?.rows).toEqual([
    { field: "metadata", values: [{ key: "authorization", value: "Bearer a:b" }] },
  ]);
  expect(whole?.leftOut).toEqual([]);
});

test("what a gRPC check has nothing for is named, with what to do", () => {
  const pasted = pastedMonitor(
    "grpcurl -cacert ca.pem -d '{\"id\":1}' orders.example:443 shop.v1.Orders/Get",
  );
  expect(pasted?.fields.get("service")).toBe("");
  expect(pasted?.leftOut).toEqual([
    "shop.v1.Orders/Get is not taken over: a gRPC check asks the health service, grpc.health.v1.Health/Check.",
    "-cacert is not taken over: give your CA to the agent in PICKET_CA_FILE.",
    "-d is not taken over: a check sends the name of a service and nothing else.",
  ]);
});
