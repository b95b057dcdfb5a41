import { html, type Html } from "#web/page/html";
import { actMenu } from "#service/operator/forms/act-menu";
import { buttonForm } from "#service/operator/form-fields";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { type RefusedSilence, silenceForm } from "#service/operator/silence-form";

interface ActedMonitor {
  readonly monitor: PicturedMonitor;
  readonly reader: KnownReader;
  /** Whose files it is managed by: they change it, so that is not offered. Empty if a person made it. */
  readonly owner: string;
  /** Its page as the reader has it, with the range of its charts. */
  readonly back: string;
  readonly refused: RefusedSilence | null;
}

/**
 * What can be done with a monitor: the daily acts in view, and the rest in a menu. One stands out only while someone has to
 * act: to acknowledge its incident, or to resume what is paused. On a phone, Copy is in the menu.
 */
export function monitorActs(acted: ActedMonitor): Html | null {
  const { monitor, reader, owner, refused } = acted;
  const path = `/monitors/${monitor.id}`;
  const isPaused = monitor.status === "inactive";
  const checking = isPaused ? null : checkNowForm(acted);
  const silencing = isPaused
    ? null
    : silenceForm({ action: `${path}/silence`, what: "this monitor", reader, refused });
  if (!mayChange(reader))
    return html`<div class="acts">${acknowledgeForm(acted)} ${checking} ${silencing}</div>`;
  const isOwn = owner === "";
  const pausing = isPaused
    ? resumeForm(acted)
    : buttonForm(`${path}/pause`, reader, "Pause", monitor.name);
  return html`<div class="acts">
    ${acknowledgeForm(acted)} ${isPaused && isOwn ? pausing : null} ${checking} ${silencing}
    <a class="button" href="${path}/edit">${isOwn ? "Edit" : "Show form"}</a>
    ${isOwn && !isPaused ? pausing : null}
    <a class="button if-wide" href="${path}/copy">Copy</a>
    ${actMenu("this monitor", [
      html`<a class="button bare if-narrow" href="${path}/copy">Copy</a>`,
      html`<a class="button bare" href="/maintenances/new?monitor=${monitor.id}"
        >Plan maintenance</a
      >`,
      isOwn ? html`<a class="button bare danger" href="${path}/delete">Delete</a>` : null,
    ])}
  </div>`;
}

/** While its incident waits for someone; it leads back to the monitor. */
function acknowledgeForm({ monitor: { id, incident }, reader }: ActedMonitor): Html | null {
  if (incident === null || incident.acknowledged || !may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/incidents/${incident.number}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="/monitors/${id}" />
    <button type="submit" class="main">Acknowledge</button>
  </form>`;
}

function checkNowForm({ monitor, reader, back }: ActedMonitor): Html | null {
  if (!may(reader, "responder")) return null;
  return html`<form class="act" method="post" action="/monitors/${monitor.id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${back}" />
    <button type="submit">Check now</button>
  </form>`;
}

const resumeForm = ({ monitor, reader }: ActedMonitor): Html =>
  html`<form class="act" method="post" action="/monitors/${monitor.id}/resume">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" class="main" aria-label="Resume: ${monitor.name}">Resume</button>
  </form>`;
