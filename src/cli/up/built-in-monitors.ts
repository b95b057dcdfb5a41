import { type ExampleTarget, often } from "#cli/up/example-target";
import { httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { showHostPort } from "#network/host-port";

/** What `picket up` watches when it is given no file: its own service by HTTP and by TCP, and the example target. */
export function builtInMonitors(
  serviceUrl: string,
  example: ExampleTarget,
): readonly MonitorDefinition[] {
  const { hostname, port } = new URL(serviceUrl);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
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
      uri: showHostPort(host, Number(port)),
    },
    example.dns,
    example.http,
  ];
}
