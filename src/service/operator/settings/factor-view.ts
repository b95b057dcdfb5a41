import { encodeQR } from "qr";
import { html, type Html } from "#web/page/html";
import type { Mistake } from "#check/findings";
import type { KnownReader } from "#service/operator/page-request";
import { currentPassword, smallForm } from "#service/operator/settings/small-form";
import type { FactorDraft } from "#service/people/second-factors";

export interface FactorPage {
  readonly draft: FactorDraft;
  readonly reader: KnownReader;
  readonly mistakes: readonly Mistake[];
}

/** Of one that is being set up: also the page that refuses a code has it, so that to load it again keeps the secret. */
export const factorPath = ({ sealed }: FactorDraft): string =>
  `/settings/factor?draft=${encodeURIComponent(sealed)}`;

/** The secret for an app, as a picture and as text, and a form for its first code. */
export const factorView = ({ draft, reader, mistakes }: FactorPage): Html =>
  html`<h1 class="page">Set up a second factor</h1>
    <ol class="setup card">
      <li>
        <p>Open an app for codes on your telephone, and scan this picture with it.</p>
        ${qrPicture(draft.uri)}
        <p class="help">
          Or type this secret into the app: <code class="secret">${inFours(draft.secret)}</code>
        </p>
      </li>
      <li>
        <p>Type your password, and the code that the app shows now.</p>
        ${smallForm({
          action: factorPath(draft),
          reader,
          legend: null,
          isMain: true,
          mistakes,
          button: "Turn on",
          isAct: true,
          begins: currentPassword.name,
          hidden: { draft: draft.sealed },
          fields: [
            currentPassword,
            {
              name: "code",
              label: "Code",
              help: "Six digits, which change every half minute.",
              input: { is: "code" },
            },
          ],
        })}
      </li>
    </ol>`;

/** Shown once. */
export const codesView = (codes: readonly string[]): Html =>
  html`<h1 class="page">The second factor is on</h1>
    <p class="words">
      From now on you sign in with your password and a code. Keep these recovery codes where your
      telephone is not: each replaces a code once. They are not shown again.
    </p>
    <ul class="card recovery" id="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p class="buttons">
      <button type="button" class="copy" data-copies="codes">Copy</button>
      <a class="button" download="picket-recovery-codes.txt" href="${textFile(codes)}">Download</a>
    </p>
    <p><a class="button main" href="/settings">I have kept them</a></p>`;

/** As an address, so that no service has to keep it, and no script has to make it. */
const textFile = (lines: readonly string[]): string =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(lines.map((line) => `${line}\r\n`).join(""))}`;

const inFours = (secret: string): string => (secret.match(/.{1,4}/g) ?? []).join(" ");

/** Dark squares on light ground in every scheme of colour: a camera needs the contrast. */
function qrPicture(text: string): Html {
  const rows = encodeQR(text, "raw", { border: 2 });
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  const size = rows.length;
  return html`<svg
    class="qr"
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="The secret as a QR code"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#ffffff" />
    <path d="${path}" fill="#000000" />
  </svg>`;
}
