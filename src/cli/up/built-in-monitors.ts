import { type ExampleTarget, often } from "#cli/up/example-target";
import { httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { hostPortOf, showHostPort } from "#network/host-port";

/** What `picket up` watches when it is given no file: its own service by HTTP and by TCP, and the example target. */
export function builtInMonitors(
  serviceUrl: string,
  example: ExampleTarget,
): readonly MonitorDefinition[] {
  const { host, port } = hostPortOf(new URL(serviceUrl));
  return [
    {
      ...httpDefaults,
      ...often,
      name: "this service by HTTP",
      url: new URL("/healthz", serviceUrl).href,
      statusCodeAssertions: [{ target: 200, comparator: "eq" }],
    },
    {
      ...tcpDefaults,
      ...often,
      name: "this service by TCP",
      uri: showHostPort(host, port),
    },
    example.dns,
    example.http,
  ];
}
