import { percentDecoded } from "#base/text";

/** The user-info of a URL as the value of Authorization or Proxy-Authorization (RFC 7617); null when it has none. */
export function basicAuth({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
