import { expect, test } from "vitest";
import { parseDnsUri, parseHttpUrl, parseTcpUri } from "#check/target";
import { parseNameServer } from "#network/host-port";

const odd = [
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "127.1",
  "0177.0.0.1",
  "127.0.0.01",
  "0x",
  "256.1.1.1",
];

test.each(odd)(
  "the host %s is refused: it is not a name, and an address to some resolvers only",
  (host) => {
    const message = `has the host "${host}", which is neither a name nor an IPv4 address like 10.0.0.1`;
    expect(parseTcpUri(`tcp://${host}:80`)).toEqual({ ok: false, message });
    expect(parseTcpUri(`${host.toUpperCase()}.:80`)).toEqual({ ok: false, message });
    expect(parseNameServer(host)).toEqual({ ok: false, message });
    expect(parseDnsUri(`dns:a.test?server=${host}`)).toEqual({
      ok: false,
      message: `names a server that ${message}`,
    });
  },
);

test.each(["127.0.0.1", "10.0.0.1", "0.0.0.0", "7up.test", "a1", "1-2", "1.a", "0x1.test", "0xyz"])(
  "the host %s is taken as it is",
  (host) =>
    expect(parseTcpUri(`${host}:80`)).toEqual({ ok: true, value: { kind: "tcp", host, port: 80 } }),
);

test.each([
  [parseTcpUri("bad!host:80"), 'has an invalid label "bad!host" in its name'],
  [parseTcpUri("tcp://word@host:80"), "has an invalid label in its name"],
  // What is quoted may be the first half of a secret.
  [parseTcpUri("wo rd.x@host:80"), "has an invalid label in its name"],
  [parseTcpUri("host?key=word:80"), "has an invalid label in its name"],
  [parseTcpUri("[word@::1]:80"), "has an invalid IPv6 address"],
  [parseDnsUri("dns://word@server/a.test"), "names a server that has an invalid label in its name"],
])("a refusal quotes what is wrong, but nothing with user-info or a query: %j", (parsed, message) =>
  expect(parsed).toEqual({ ok: false, message }),
);

test.each(["https://shop.test/my page", " https://shop.test", "https://shop.test/\n"])(
  "the URL %j is refused with what would be taken for its space",
  (text) =>
    expect(parseHttpUrl(text)).toEqual({
      ok: false,
      message:
        "has a space or a control character in it: take it out, or write a space of the address as %20, for example https://example.com/my%20page",
    }),
);
