import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import * as limits from "#limits/service-limits";
import { because, Refusal } from "#service/edge/call-refusal";
import { capital } from "#base/text";
import { html } from "#web/page/html";
import { safetyHeaders } from "#web/safety-headers";
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
    else if (asksForPage(request)) showStarting(progress(), response);
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

const asksForPage = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && (headers.accept ?? "").includes("text/html");

/** A page that looks again by itself: nothing else of the service can be asked yet, its style included. */
function showStarting(progress: string, response: ServerResponse): void {
  const seconds = String(limits.serviceStartRetryAfter / 1000);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Starting · Picket</title>
      </head>
      <body>
        <main>
          <h1>The service is starting</h1>
          <p>${capital(progress)}.</p>
          <p>This page looks again by itself. <a href="">Look again</a></p>
        </main>
      </body>
    </html> `.text;
  response.writeHead(503, {
    ...safetyHeaders("none"),
    "content-type": "text/html; charset=utf-8",
    "retry-after": seconds,
    refresh: seconds,
  });
  response.end(page);
}

const starting = (progress: string): Refusal =>
  new Refusal("unavailable", `the service is starting: ${progress}; try again later`, {
    ...because("unavailable"),
    "retry-after": String(limits.serviceStartRetryAfter / 1000),
  });
