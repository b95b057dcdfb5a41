import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  assigning,
  controlPlaneServer,
  refusing,
  unknownCall,
} from "../../servers/control-plane-server.ts";
import { tunnels } from "../../servers/proxies.ts";
import { tlsPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

test("an agent behind an https proxy, with a private authority and a client certificate, takes a token that is rotated while it runs", async () => {
  const authority = await Authority.create();
  const identity = await authority.issue({ altNames: ["localhost", "service.test"] });
  const asking = { requestCert: true, ca: authority.cert };
  await using server = await controlPlaneServer(
    {
      Monitors: (request, response, body) => {
        const isNew = request.headers["x-service-token"] === "planted-new";
        (isNew ? assigning : refusing(401, "unauthenticated"))(request, response, body);
      },
    },
    unknownCall,
    { ...identity, ...asking },
  );
  const asked: string[] = [];
  await using proxy = await tlsPeer({ ...identity, ...asking }, tunnels(asked));
  const folder = temporaryFolder();
  const written = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const own = await authority.issue({ name: "agent", altNames: ["agent.test"] });
  const agent = startPicket(["agent"], {
    PICKET_TOKEN_FILE: written("token", "planted-old\n"),
    // The proxy leads to this machine, whatever the host is.
    SERVICE_API_URL: server.url.replace("127.0.0.1", "service.test"),
    PICKET_CA_FILE: written("ca.crt", authority.cert),
    PICKET_CLIENT_CERT_FILE: written("client.crt", own.cert),
    PICKET_CLIENT_KEY_FILE: written("client.key", own.key),
    HTTPS_PROXY: `https://user:planted-password@localhost:${proxy.port}`,
    https_proxy: "",
    NO_PROXY: "",
    no_proxy: "",
    PICKET_POLL_INTERVAL: "1s",
    PICKET_LOG_LEVEL: "debug",
  });
  await agent.said(/the service refuses the token/);
  written("token", "planted-new\n");
  await agent.said(/the token was changed in its file/);
  await agent.said(/assignment taken/);
  expect(await agent.stop()).toBe(0);
  expect(agent.output()).toContain(`"service.proxy":"localhost:${proxy.port}"`);
  expect(agent.output()).not.toContain("planted");
  expect(agent.output()).not.toContain(own.key.split("\n")[1]);
  const { port } = new URL(server.url);
  expect(asked[0]).toMatch(RegExp(`^CONNECT service\\.test:${port} HTTP/1\\.1\r\n`));
  expect(asked[0]).toContain(btoa("user:planted-password"));
});
