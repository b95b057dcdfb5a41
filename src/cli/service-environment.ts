import { isOn } from "#agent/settings";
import type { Io } from "#cli/io";

/** Which service a command manages, and with which key, from the environment; what is wrong with it goes to stderr. */
export function readServiceEnvironment(
  io: Io,
): { readonly url: string; readonly key: string } | null {
  const url = io.env["SERVICE_API_URL"] ?? "";
  const key = io.env["SERVICE_API_KEY"] ?? "";
  const problems = [
    ...urlProblems(url, isOn(io.env["PICKET_ALLOW_HTTP"] ?? "off")),
    ...(/^[\x21-\x7e]+$/.test(key)
      ? []
      : [key === "" ? "SERVICE_API_KEY is not set: an API key" : "SERVICE_API_KEY is not a key"]),
  ];
  for (const problem of problems) io.stderr.write(`${problem}\n`);
  return problems.length === 0 ? { url, key } : null;
}

/** The key travels in a header, so it crosses a network only under TLS. */
function urlProblems(text: string, allowHttp: boolean): readonly string[] {
  if (text === "") return ["SERVICE_API_URL is not set: https://… of the service"];
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    return ["SERVICE_API_URL must be a URL that begins with https:// or http://"];
  if (url.username !== "" || url.password !== "" || url.search !== "")
    return ["SERVICE_API_URL must hold neither user-info nor a query"];
  const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || loopback || allowHttp) return [];
  return [
    "SERVICE_API_URL is plain http to another machine, which would show the key to the network. Use https, or set PICKET_ALLOW_HTTP=1",
  ];
}
