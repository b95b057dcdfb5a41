import type { ServerResponse } from "node:http";
import { scriptTag } from "#service/operator/script-tag";
import { html, type Html } from "#web/page/html";
import { logo } from "#web/page/logo";

/** The page behind a link in a message, for whoever has it: it has no navigation. */
export function showOutside(
  response: ServerResponse,
  status: number,
  title: string,
  content: Html,
): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
  });
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Picket</title>
        <link rel="icon" href="../icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="../style.css" />
        ${scriptTag("outside")}
      </head>
      <body class="operator alone">
        <header>
          <div class="rail">
            <p class="brand"><a href="../">${logo} Picket</a></p>
          </div>
        </header>
        <main>
          <h1 class="target">${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
  response.end(page);
}
