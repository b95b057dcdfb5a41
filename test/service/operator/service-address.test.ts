import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";
import { byKey } from "../../support/signed-in.ts";

test.each([
  ["picket.test:8787", {}, "http://picket.test:8787"],
  ["picket.test", { "x-forwarded-proto": "https" }, "https://picket.test"],
  ["[::1]:8787", {}, "http://[::1]:8787"],
  ["x;id.evil.test", {}, "http://127.0.0.1"],
  ["$(id).evil.test", {}, "http://127.0.0.1"],
] as const)(
  "commands for a person who came by the host %s name an address that a shell may read",
  async (host, headers, address) => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const person = await byKey(scene, "write");
    await person.send("/locations/new", { name: "Berlin" });
    // Behind TLS a cookie has another name.
    const cookie = "x-forwarded-proto" in headers ? `__Host-${person.cookie}` : person.cookie;
    const asked = request(`${scene.service.url}/locations/1/start`, {
      headers: { host, cookie, accept: "text/html", ...headers },
    }).end();
    const [response] = await once(asked, "response");
    expect(await text(response)).toContain(`SERVICE_API_URL=${address} `);
  },
);
