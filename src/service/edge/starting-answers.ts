import type { RequestListener } from "node:http";
import * as limits from "#limits/service-limits";
import { because, Refusal } from "#service/edge/call-refusal";
import { answer, pathOf, sendRefusal } from "#service/edge/json-answer";
import type { RequestListeners } from "#service/edge/web-server";

/**
 * What is answered while the database is being opened: the process lives, and everything else has to come again. Also
 * what does not exist, since an agent takes a 404 for a service that lacks the call.
 */
export function startingAnswers(progress: () => string): RequestListeners {
  const listener: RequestListener = (request, response) => {
    if (pathOf(request) === "/livez")
      void answer(request, response, async () => ({ status: "ok" }));
    else sendRefusal(starting(progress()), request, response);
  };
  return {
    calls: listener,
    plainly: listener,
    // So a request for one is answered like every other.
    asksForChannel: () => false,
    openChannel: async (_request, _socket, _head, refuse) => refuse(),
  };
}

const starting = (progress: string): Refusal =>
  new Refusal("unavailable", `the service is starting: ${progress}; try again later`, {
    ...because("unavailable"),
    "retry-after": String(limits.serviceStartRetryAfter / 1000),
  });
