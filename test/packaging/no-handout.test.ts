import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { downloadAnswer } from "#service/downloads/download-answers";
import { Refusal } from "#service/edge/call-refusal";
import { type StartWay, startWays } from "#service/operator/locations/start-commands";
import { isInstalled } from "../support/installed.ts";
import { startCommand } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** The command of a location's page, where there is no program to be had. */

const isThere = isInstalled("curl");

async function listening(answer: RequestListener): Promise<Server> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return server;
}

const addressOf = (server: Server): string => {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
};

/** How the command ends, and all that a person sees of it. */
async function pasted(id: StartWay["id"], address: string): Promise<readonly unknown[]> {
  const ways = startWays({ address, token: "pkt_loc_planted" });
  const [line = ""] = (ways.find((way) => way.id === id)?.commands ?? "").split("\n");
  const cwd = temporaryFolder();
  const command = startCommand("/bin/sh", ["-c", line], { cwd, env: { HOME: cwd } });
  const [code] = await once(command.child, "close");
  return [code, command.output()];
}

const ways = ["here", "systemd", "docker", "kubernetes"] as const;

test.skipIf(!isThere).each(ways)(
  "the command for %s fails, and curl says why, when no service answers",
  async (id) => {
    const server = await listening(() => {});
    const address = addressOf(server);
    server.close();
    expect(await pasted(id, address)).toEqual([
      1,
      expect.stringMatching(/^curl: \(7\) Failed to connect to 127\.0\.0\.1 .*\n$/),
    ]);
  },
);

test.skipIf(!isThere).each(ways)(
  "the command for %s fails, and says what to read, when the service has no program to hand out",
  async (id) => {
    const message = "the service cannot hand out the agent's program: its log says why";
    const download = { handout: () => Promise.reject(new Refusal("unavailable", message)) };
    const locations = { authenticate: () => Promise.reject(new Error("no one is let in")) };
    const server = await listening((request, response) => {
      void downloadAnswer({ download, locations }, request, response);
    });
    expect(await pasted(id, addressOf(server))).toEqual([1, `picket: ${message}\n`]);
  },
);
