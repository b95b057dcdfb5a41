/** Where a server of ours listens; port 0 takes a free one. */
export interface ListenAddress {
  /** A name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

/** `host:port`, with an IPv6 address in brackets; null for anything else. */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, address, name, digits] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = address ?? name;
  const port = Number(digits);
  return host === undefined || !(port <= 65_535) ? null : { host, port };
}

/** Whether that is every address of the machine. */
export const isEveryAddress = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether a host, as a URL has it, is this machine and nothing else. */
export const isThisMachine = (host: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** Where who listens at an address is reached from this machine: on every address, at the loopback one. */
export function reachedAt({ host, port }: ListenAddress): ListenAddress {
  if (!isEveryAddress(host)) return { host, port };
  return { host: host === "::" ? "::1" : "127.0.0.1", port };
}

/** Why nothing can listen there, by the system's code, and what to do about it. */
export function listenObstacle(code: string, { host, port }: ListenAddress): string {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use: give another`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `this machine has no address ${host} to listen on`;
    case "EACCES":
      return `this user may not listen on port ${port}: give one above 1023`;
    default:
      return `cannot listen on port ${port} of ${host} (${code})`;
  }
}
