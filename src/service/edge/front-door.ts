import type { Clock } from "#base/clock";
import { showHostPort } from "#network/host-port";
import { type ListenAddress, reachedAt } from "#network/listen-address";
import { startingAnswers } from "#service/edge/starting-answers";
import {
  type RequestListeners,
  close,
  listen,
  type ServerIdentity,
  type WebServer,
  webServer,
} from "#service/edge/web-server";

/** Where the service is reached, from before its database is open until the last request has its answer. */
export interface FrontDoor extends AsyncDisposable, Pick<WebServer, "renew" | "cutOff"> {
  /** As this machine reaches it, also if it listens on every address. */
  readonly url: string;
  readonly port: number;
  /** How far the start is: who comes before the service takes calls is answered so. */
  say(progress: string): void;
  /** These answer from the next request on. */
  open(answers: RequestListeners): void;
}

interface Place extends ListenAddress {
  readonly identity?: ServerIdentity;
  readonly clock: Clock;
}

/** Listens. Throws a sentence when the port cannot be used. */
export async function frontDoor({ identity, clock, ...place }: Place): Promise<FrontDoor> {
  let progress = "it opens its database";
  const starting = startingAnswers(() => progress);
  let answers = starting;
  const { server, renew, cutOff } = webServer(() => answers, identity);
  await listen(server, place);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the service has no port");
  const { host, port } = reachedAt({ host: place.host, port: address.port });
  return {
    url: `${identity === undefined ? "http" : "https"}://${showHostPort(host, port)}`,
    port,
    renew,
    cutOff,
    say: (sentence) => {
      progress = sentence;
    },
    open: (opened) => {
      answers = opened;
    },
    [Symbol.asyncDispose]: () => {
      // What is asked to come again has nothing to finish.
      if (answers === starting) cutOff();
      return close(server, cutOff, clock);
    },
  };
}
