import { expect, test } from "vitest";
import { ServiceLink } from "#agent/link/service-link";
import { ServiceError, type ServiceReason } from "#transport/control-plane";
import { FakeClock } from "../../support/fake-clock.ts";
import { memoryLog } from "../../support/twins.ts";

test.each<[ServiceReason, level: string, RegExp]>([
  [
    "unauthenticated",
    "error",
    /refuses the token: put this location's token into PICKET_TOKEN_FILE/,
  ],
  ["proxy", "warn", /through its proxy: check PICKET_SERVICE_PROXY or HTTPS_PROXY/],
  ["untrusted", "warn", /certificate is not trusted: set PICKET_CA_FILE/],
  [
    "identity",
    "warn",
    /client certificate: check PICKET_CLIENT_CERT_FILE and PICKET_CLIENT_KEY_FILE/,
  ],
  ["unavailable", "warn", /^the service cannot be reached: check SERVICE_API_URL/],
])(
  "a link that fails as %s says what to do, once, and that checks go on",
  (reason, level, what) => {
    const log = memoryLog();
    const link = new ServiceLink(log, new FakeClock(), "https://service.test");
    link.failed(new ServiceError(reason, "the sentence"));
    link.failed(new ServiceError(reason, "the sentence"));
    expect(log.said).toMatchObject([
      {
        level,
        message: expect.stringMatching(what),
        fields: { "error.message": "the sentence", "server.address": "service.test" },
      },
    ]);
    expect(log.said[0]?.message).toMatch(/; known monitors keep running and results are kept$/);
  },
);
