import { html, type Html } from "#web/page/html";
import type { StoredLocation } from "#service/agents/locations";
import { buttonForm } from "#service/operator/form-fields";
import {
  clusterAuthority,
  type StartWay,
  startWays,
} from "#service/operator/locations/start-commands";
import type { KnownReader } from "#service/operator/page-request";

interface StartScene {
  readonly location: StoredLocation;
  /** Null: it is not shown any more. */
  readonly token: string | null;
  /** The service's own. */
  readonly address: string;
  readonly arrival: Html;
  readonly reader: KnownReader;
}

/** The commands for each way to start an agent, and whether one has come. */
export function startView({ location, token, address, arrival, reader }: StartScene): Html {
  const ways = startWays({ address, token: token ?? "TOKEN" });
  return html`<p class="back"><a href="/locations/${location.id}">${location.name}</a></p>
    <h1 class="page">Start an agent of ${location.name}</h1>
    ${arrival}
    ${
      token === null
        ? savedToken(location, reader)
        : html`<p class="advice">
            The token is in the commands. Copy one before you leave: only this address shows the
            token, for an hour, and no link leads back to it. Whoever has the token can report
            results of this location.
          </p>`
    }
    <h2 id="ways">Paste one of these</h2>
    <div class="ways">${ways.map((way, index) => wayView(way, index === 0))}</div>
    ${address.startsWith("https:") ? ownAuthority : null}`;
}

/** The token is shown once, so the commands have a word in its place; a new one is at hand. */
const savedToken = ({ id, name }: StoredLocation, reader: KnownReader): Html =>
  html`<div class="card saved-token">
    <p>
      <strong>The commands need the token that you saved:</strong> write it in place of
      <code>TOKEN</code>. It was shown when it was created, and cannot be shown again.
    </p>
    <p class="words">
      Without it, create a new one: the commands then have it, and the old one works for another
      hour.
    </p>
    ${buttonForm(`/locations/${id}/token`, reader, "Create a new token", name)}
  </div>`;

/** The script and the agent take the file from the environment; what runs in a cluster does not. */
export const ownAuthority: Html = html`<p class="help">
  Is this service's certificate from your own CA? Then run
  <code>export CURL_CA_BUNDLE=$PWD/ca.pem PICKET_CA_FILE=$PWD/ca.pem</code> first, in each terminal,
  with the CA's file. For Kubernetes, also run <code>${clusterAuthority.configMap}</code> before
  <code>helm</code>, and give <code>${clusterAuthority.option}</code> to <code>helm</code>.
</p>`;

/** The first is open; the others open at a click, and all of them without a script. */
const wayView = (way: StartWay, isOpen: boolean): Html =>
  html`<details class="group way" name="way" ${isOpen ? html` open` : null}>
    <summary>
      <span class="way-name">${way.label}</span> <span class="gist">${way.gist}</span>
    </summary>
    <div class="copied">
      <pre class="commands" id="way-${way.id}" tabindex="0" aria-label="Commands for ${way.label}">
${way.commands}</pre>
      <button type="button" class="small copy" data-copies="way-${way.id}">Copy</button>
    </div>
    <p class="help">${way.where}</p>
    ${way.caution === null ? null : html`<p class="help">${way.caution}</p>`}
  </details>`;
