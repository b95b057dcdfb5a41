/** The host and port of a target without user-info, as two that are one server have them in common. */
export function serverOf(target: string): string {
  const [, scheme = "", rest = target] = /^([a-z]+):\/\/(.*)$/is.exec(target) ?? [];
  const authority = rest
    .replace(/[/?#].*$/s, "")
    .replace(/^.*@/s, "")
    .toLowerCase();
  const port = ports.get(scheme.toLowerCase());
  return port === undefined || /:\d+$/.test(authority) ? authority : `${authority}:${port}`;
}

/** Those of the schemes of URLs. */
const ports: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
]);
