import tls from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import type { HttpOutcome } from "#check/outcome";
import { type Asking, ask, askAt, statusOf } from "../../support/asking.ts";
import { Authority, type Identity } from "../../support/authority.ts";
import { happened } from "../../support/probing.ts";
import { type Told, told } from "../../support/timing-contract.ts";
import { answers, type Script, tcpPeer, tlsPeer } from "../../servers/scripted.ts";
import { alertBytes, nameRequired, stopsInHandshake } from "../../servers/tls-peers.ts";

/** Hostile peers over TLS: what each shows and does, what is reported of it, and what is kept of what it showed. */

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const day = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);
const past = { validFrom: ago(9), validTo: ago(1) };
const future = { validFrom: ago(-1), validTo: ago(-9) };

let root: Authority;
let issuing: Authority;
let trusting: Asking;
beforeAll(async () => {
  root = await Authority.create("Root");
  issuing = await root.intermediate("Issuing");
  trusting = { context: { ca: root.cert } };
});

/** A peer's leaf with what it sends along. */
const chained = ({ cert, key }: Identity, ...above: readonly Authority[]): Identity => ({
  key,
  cert: [cert, ...above.map((authority) => authority.cert)].join("\n"),
});

async function secure(
  options: tls.TlsOptions,
  { host = "localhost", ...asking }: Asking & { host?: string } = {},
): Promise<HttpOutcome> {
  const all = { ciphers: "DEFAULT@SECLEVEL=0", ...options };
  await using peer = await tlsPeer(all, answers(ok));
  return await askAt(`https://${host}:${peer.port}/`, { ...trusting, ...asking });
}

/** What a scripted peer does to a handshake. */
async function handshaking(script: Script, timeout = 5_000): Promise<HttpOutcome> {
  await using peer = await tcpPeer(script);
  return await askAt(`https://localhost:${peer.port}/`, { ...trusting, timeout });
}

const shown = ({ tls }: HttpOutcome): readonly string[] | undefined => tls?.certificate?.chain;

describe("a chain", () => {
  test("with its intermediate is trusted, and described link by link", async () => {
    const outcome = await secure(chained(await issuing.issue(), issuing));
    expect(told(outcome)).toBe("ok");
    expect(shown(outcome)?.slice(0, 2)).toEqual(["CN=localhost", "CN=Issuing"]);
    expect(outcome.tls?.certificate).toMatchObject({
      subject: "CN=localhost",
      issuer: "CN=Issuing",
      altNames: ["localhost", "127.0.0.1"],
    });
  });
  test("of two intermediates in the wrong order is trusted anyway", async () => {
    const lower = await issuing.intermediate("Lower");
    const outcome = await secure(chained(await lower.issue(), issuing, lower));
    expect(told(outcome)).toBe("ok");
  });

  const refused: Record<string, [() => Promise<Identity>, says: Told, message: RegExp]> = {
    "that has expired": [
      () => root.issue(past),
      "tls_expired in tls",
      new RegExp(`"CN=localhost" was valid until ${past.validTo.toISOString().slice(0, 13)}`),
    ],
    "that is not valid yet": [
      () => root.issue(future),
      "tls_not_yet_valid in tls",
      new RegExp(`"CN=localhost" is valid from ${future.validFrom.toISOString().slice(0, 13)}`),
    ],
    "for another host": [
      () => root.issue({ name: "other.test", altNames: ["other.test", "*.other.test"] }),
      "tls_hostname in tls",
      /other\.test, \*\.other\.test$/,
    ],
    "without any name": [
      () => root.issue({ altNames: ["unused.test"], name: "localhost" }),
      "tls_hostname in tls",
      /unused\.test$/,
    ],
    "that vouches for itself": [
      () => Authority.selfSigned(),
      "tls_self_signed in tls",
      /self-signed/,
    ],
    "without its intermediate": [
      () => issuing.issue(),
      "tls_untrusted in tls",
      /^the certificate is not trusted: its issuer is not trusted here, and the peer does not send the issuer's certificate \(localhost:\d+\): the issuer is "CN=Issuing"; have the peer send its intermediate certificate, or set PICKET_CA_FILE to the issuer \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/,
    ],
    "without the second of two intermediates": [
      async () => {
        const lower = await issuing.intermediate("Lower");
        return chained(await lower.issue(), lower);
      },
      "tls_untrusted in tls",
      /its chain stops at an issuer that is not trusted here .*: the issuer is "CN=Issuing"; .* \(UNABLE_TO_GET_ISSUER_CERT_LOCALLY\)$/,
    ],
    "that ends at a separate root": [
      async () => {
        const stranger = await Authority.create("Stranger");
        return chained(await stranger.issue(), stranger);
      },
      "tls_untrusted in tls",
      /its chain ends at a root that is not trusted here .*: the issuer is "CN=Stranger"; set PICKET_CA_FILE to that root \(SELF_SIGNED_CERT_IN_CHAIN\)$/,
    ],
    "whose root was replaced under the same name": [
      async () => (await Authority.create("Root")).issue(),
      "tls_untrusted in tls",
      /a signature in its chain is wrong .*: have it issued again, .* \(CERT_SIGNATURE_FAILURE\)$/,
    ],
    "that is made for clients": [
      () => root.issue({ use: "client" }),
      "tls_untrusted in tls",
      /a certificate in its chain is not made for this use .*: have it issued for servers .* \(INVALID_PURPOSE\)$/,
    ],
    "with an authority too many": [
      async () => {
        const last = await root.intermediate("Last", { pathLength: 0 });
        const below = await last.intermediate("Below");
        return chained(await below.issue(), below, last);
      },
      "tls_untrusted in tls",
      /its chain is longer than one of its authorities allows .* \(PATH_LENGTH_EXCEEDED\)$/,
    ],
    "with a short key": [
      () => root.issue({ hasShortKey: true }),
      "tls_untrusted in tls",
      /a key or a signature in its chain is too weak.*: "CN=localhost" has a key of 1024 bits; have it issued again with .* \(UNSPECIFIED\)$/,
    ],
    "whose intermediate has expired": [
      async () => {
        const old = await root.intermediate("Old", past);
        return chained(await old.issue(), old);
      },
      "tls_expired in tls",
      new RegExp(`"CN=Old" was valid until ${past.validTo.toISOString().slice(0, 13)}`),
    ],
    "whose intermediate is not valid yet": [
      async () => {
        const early = await root.intermediate("Early", future);
        return chained(await early.issue(), early);
      },
      "tls_not_yet_valid in tls",
      new RegExp(`"CN=Early" is valid from ${future.validFrom.toISOString().slice(0, 13)}`),
    ],
  };
  test.each(Object.entries(refused))(
    "%s is refused by name, and still described",
    async (_name, [identity, says, message]) => {
      const outcome = await secure(await identity());
      expect(told(outcome)).toBe(says);
      expect(outcome.failure?.message).toMatch(message);
      expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls"]);
      expect(outcome.response).toBeNull();
      const { certificate, ...facts } = outcome.tls ?? {};
      expect(facts).toEqual({
        protocol: "TLSv1.3",
        cipher: expect.stringMatching(/^TLS_/),
        alpn: null,
        serverName: "localhost",
        acceptedFault: null,
      });
      expect(certificate?.subject).toMatch(/^CN=/);
      expect(certificate?.issuer).toMatch(/^CN=/);
      expect(certificate?.altNames.length).toBeGreaterThan(0);
      expect(certificate?.validTo).toBeGreaterThan(certificate?.validFrom ?? Infinity);
      expect(certificate?.fingerprint256).toMatch(/^[0-9A-F:]{95}$/);
      expect(certificate?.chain[0]).toBe(certificate?.subject);
    },
  );
  test("with an authority whose issuer PICKET_CA_FILE lacks is not trusted, and that authority is named", async () => {
    const context = { ca: issuing.cert };
    const outcome = await secure(await issuing.issue(), { context });
    expect(told(outcome)).toBe("tls_untrusted in tls");
    expect(outcome.failure?.message).toMatch(
      /PICKET_CA_FILE has an authority of its chain without that authority's own issuer .*: the authority is "CN=Issuing"; add the issuer to PICKET_CA_FILE \(UNABLE_TO_GET_ISSUER_CERT\)$/,
    );
  });
  test("is refused before anything of the request is sent", async () => {
    const received: Buffer[] = [];
    const listens: Script = (socket) => socket.on("data", (chunk: Buffer) => received.push(chunk));
    await using peer = await tlsPeer(await Authority.selfSigned(), listens);
    await askAt(`https://localhost:${peer.port}/`, trusting);
    expect(received).toEqual([]);
  });
});

describe("the server's name", () => {
  test("is sent to a server that requires it", async () => {
    await using peer = await nameRequired("localhost", await root.issue(), answers(ok));
    expect(told(await askAt(`https://localhost:${peer.port}/`, trusting))).toBe("ok");
  });
  test("is not sent for an address, which such a server answers by an alert", async () => {
    await using peer = await nameRequired("localhost", await root.issue(), answers(ok));
    const outcome = await askAt(`https://127.0.0.1:${peer.port}/`, trusting);
    expect(told(outcome)).toBe("tls_alert in tls");
    expect(outcome.failure?.message).toContain('"unrecognized name"');
    expect(outcome.tls).toBeNull();
  });
  test("chooses the certificate of a server that has several", async () => {
    const right = tls.createSecureContext(await root.issue());
    const options: tls.TlsOptions = {
      ...(await root.issue({ name: "default.test", altNames: ["default.test"] })),
      SNICallback: (name, callback) =>
        name === "localhost" ? callback(null, right) : callback(null),
    };
    expect(told(await secure(options))).toBe("ok");
    const byAddress = await secure(options, { host: "127.0.0.1" });
    expect(told(byAddress)).toBe("tls_hostname in tls");
    expect(byAddress.tls).toMatchObject({ serverName: null });
    expect(byAddress.failure?.message).toContain("default.test");
  });
});

describe("a client certificate that is required", () => {
  const requires = { requestCert: true, rejectUnauthorized: true } as const;
  test("is reported by an alert in the handshake of TLS 1.2", async () => {
    const outcome = await secure({
      ...(await root.issue()),
      ...requires,
      maxVersion: "TLSv1.2",
    });
    expect(told(outcome)).toBe("tls_alert in tls");
    expect(outcome.failure?.message).toContain('alert "handshake failure"');
    expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls"]);
  });
  test("is reported by an alert after the handshake of TLS 1.3, with the certificate described", async () => {
    const outcome = await secure({ ...(await root.issue()), ...requires });
    expect(told(outcome)).toBe("tls_alert in wait");
    expect(outcome.failure?.message).toContain('alert "certificate required"');
    expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls", "write", "wait"]);
    expect(outcome.tls?.certificate?.subject).toBe("CN=localhost");
  });
});

describe("a handshake", () => {
  test("with a server of TLS 1.0 and 1.1 shares no protocol", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
    const outcome = await secure({ ...(await root.issue()), ...old });
    expect(told(outcome)).toBe("tls_protocol in tls");
  });
  test("with a server of other ciphers shares none", async () => {
    const other = { maxVersion: "TLSv1.2", ciphers: "NULL-SHA256@SECLEVEL=0" } as const;
    const outcome = await secure({ ...(await root.issue()), ...other });
    expect(["tls_protocol in tls", "tls_alert in tls"]).toContain(told(outcome));
  });
  const ends: Record<string, [script: Script, says: Told]> = {
    "that is answered in plain HTTP": [
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      "not_tls in tls",
    ],
    "that is answered by a banner at once": [
      (socket) => socket.end("220 mail.test ESMTP\r\n"),
      "not_tls in tls",
    ],
    "that is answered by an alert": [
      (socket) => socket.once("data", () => socket.end(alertBytes(40))),
      "tls_alert in tls",
    ],
    "that is closed at once": [(socket) => socket.end(), "tls_closed in tls"],
    "that is closed when it begins": [
      (socket) => socket.once("data", () => socket.end()),
      "tls_closed in tls",
    ],
    "that is reset": [
      (socket) => socket.once("data", () => socket.resetAndDestroy()),
      "connection_reset in tls",
    ],
    "that is reset in the middle of the server's hello": [
      (socket) =>
        socket.once("data", () =>
          socket.write(Buffer.from([0x16, 3, 3, 0, 122, 2]), () => socket.resetAndDestroy()),
        ),
      "connection_reset in tls",
    ],
  };
  test.each(Object.entries(ends))("%s is named", async (_name, [script, says]) => {
    const outcome = await handshaking(script);
    expect(told(outcome)).toBe(says);
    expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls"]);
    expect(outcome.tls).toBeNull();
  });
  const stuck: Record<string, Script> = {
    "that is not answered": () => {},
    "that stops in the middle of the server's hello": stopsInHandshake,
  };
  test.each(Object.entries(stuck))("%s ends at the deadline", async (_name, script) => {
    const outcome = await handshaking(script, 150);
    expect(told(outcome)).toBe("tls_timeout in tls");
    expect(happened(outcome.phases)).toEqual(["dns", "connect", "tls"]);
    expect(outcome.phases.tls).toBeGreaterThan(outcome.phases.connect ?? Infinity);
  });
});

describe("plain HTTP to a TLS port", () => {
  test("is a protocol error if the server answers with an alert", async () => {
    const outcome = await ask((socket) => socket.once("data", () => socket.end(alertBytes(10))));
    expect(told(outcome)).toBe("protocol_error in receive");
    expect(outcome.failure?.message).toContain("TLS");
    expect(statusOf(outcome)).toBeNull();
  });
  test("is an empty reply or a reset if the server says nothing", async () => {
    await using peer = await tlsPeer(await root.issue(), answers(ok));
    const outcome = await askAt(`http://127.0.0.1:${peer.port}/`);
    expect([
      "empty_reply in wait",
      "connection_reset in wait",
      "protocol_error in receive",
    ]).toContain(told(outcome));
  });
});
