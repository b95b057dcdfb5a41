import { listedState } from "#service/operator/picture";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { type AllSet, allSetView } from "#service/operator/first-start/all-set-view";
import {
  type FirstSteps,
  firstStepsMax,
  isStarted,
} from "#service/operator/first-start/first-steps";

/** One step: what it is for, whether it is done, and where it is done. */
interface Step {
  readonly title: string;
  readonly isDone: boolean;
  /** Of a step that is done, what was made. */
  readonly words: Html | string;
  readonly path: string;
  readonly button: string;
}

/** Three steps from nothing to a message, each with what is done. `optional` is what can wait. */
export function firstStartView(steps: FirstSteps, set: AllSet, optional: Html | null): Html {
  if (isStarted(steps))
    return html`<div class="title-line">
        <div>
          <h1>Everything is set up</h1>
          <p class="lede">${howItIs(set)}</p>
        </div>
        <p class="acts"><a class="button main" href="/">See the overview</a></p>
      </div>
      ${gaps(steps)} ${allSetView(set)} ${optional}`;
  const all = stepsOf(steps, set);
  const next = all.findIndex(({ isDone }) => !isDone);
  return html`<div class="title-line">
      <div>
        <h1>Three steps to the first message</h1>
        <p class="lede">Then someone is notified when what you watch is down.</p>
      </div>
      ${progress(all.filter(({ isDone }) => isDone).length)}
    </div>
    <ol class="watched first-steps" data-renew-every="${limits.waitingLookEvery}">
      ${all.map((step, index) => stepView(step, index, index === next))}
    </ol>
    ${gaps(steps)} ${optional}`;
}

/** What fails now, with the way there. */
function howItIs({ monitors }: AllSet): Html | string {
  const failing = monitors.filter((one) => listedState(one) === "error");
  const [first, ...others] = failing;
  if (first === undefined) return "When a monitor fails, someone is notified.";
  return others.length === 0
    ? html`1 monitor fails: <a href="/monitors/${first.id}">look at it</a>.`
    : html`${counted(failing.length, "monitor")} fail: <a href="/?state=error">look at them</a>.`;
}

/** How far it is, as a bar in words. */
const progress = (done: number): Html =>
  html`<p class="steps-done">
    <progress max="${firstStepsMax}" value="${done}" aria-hidden="true"></progress>
    ${done} of ${firstStepsMax} done
  </p>`;

/** On the overview while a step is missing; nothing when all are done. `words` are of the link to the steps. */
export const firstStepsLine = (done: number, words = "Continue"): Html | null =>
  done === firstStepsMax
    ? null
    : html`<p class="card steps-line">
        ${done} of ${firstStepsMax} steps to the first message ${done === 1 ? "is" : "are"} done.
        <a href="/start">${words}</a>
      </p>`;

const stepsOf = (steps: FirstSteps, set: AllSet): readonly Step[] => [
  {
    title: "A monitor",
    isDone: steps.monitors > 0,
    words:
      steps.monitors > 0
        ? madeLinks("/monitors", set.monitors, steps.monitors)
        : "What is to be watched: a URL, a port, a name, a host.",
    path: "/monitors/new?next=/start",
    button: "Create monitor",
  },
  locationStep(steps, set),
  {
    title: "A channel",
    isDone: steps.channels > 0,
    words:
      steps.channels > 0
        ? madeLinks("/channels", set.channels, set.channels.length)
        : "Messages go to a chat, a mail, a pager, a telephone or a program.",
    path: "/channels/new?next=/start",
    button: "Create channel",
  },
];

function locationStep({ location, hasAgent }: FirstSteps, { locations }: AllSet): Step {
  const title = "A location";
  if (location !== null && !hasAgent)
    return {
      title,
      isDone: false,
      words: `${location.name} waits for its agent. This page shows when it comes.`,
      path: `/locations/${location.id}/start?next=/start`,
      button: "See the command",
    };
  return {
    title,
    isDone: hasAgent,
    words: hasAgent
      ? html`${madeLinks("/locations", locations, locations.length)}: an agent has come`
      : "The network that is checked from. One command starts an agent inside it.",
    path: "/locations/new?next=/start",
    button: "Create location",
  };
}

/** The first of what was made, by its name, and how many others there are. */
function madeLinks(
  path: string,
  [first]: readonly { readonly id: number; readonly name: string }[],
  count: number,
): Html {
  if (first === undefined) return html`made`;
  const more = count === 1 ? null : html` and ${count - 1} more`;
  return html`<a href="${path}/${first.id}">${first.name}</a>${more}`;
}

/** All steps have one form and one height: a number or a tick, the words, and a button or that it is done. */
const stepView = (step: Step, index: number, isNext: boolean): Html =>
  html`<li class="${step.isDone ? "done" : isNext ? "present" : "later"}">
    <span class="number" aria-hidden="true">${step.isDone ? tick : index + 1}</span>
    <h2>${step.title}</h2>
    <p class="words">${step.words}</p>
    ${
      step.isDone
        ? html`<p class="is-done">Done</p>`
        : html`<a class="button${isNext ? " main" : ""}" href="${step.path}">${step.button}</a>`
    }
  </li>`;

const tick = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
  <path d="m3.500 8.500 3 3 6-6.500" />
</svg>`;

/** The form of a location of files is only shown. */
const letRun = (
  { id, name, owner }: NonNullable<FirstSteps["location"]>,
  unassigned: number,
): Html =>
  owner === ""
    ? html`<a href="/locations/${id}/edit">let ${name} run ${unassigned === 1 ? "it" : "them"}</a>`
    : html`write <code>locations: [${name}]</code> at ${unassigned === 1 ? "it" : "each"} in the
        files`;

/** What is there and not connected yet. */
const gaps = ({ location, unassigned, unheard, channels }: FirstSteps): Html =>
  html`${
    unassigned === 0 || location === null
      ? null
      : html`<p class="advice">
          ${counted(unassigned, "monitor")} ${unassigned === 1 ? "runs" : "run"} nowhere yet:
          ${letRun(location, unassigned)}.
        </p>`
  }${
    unheard === 0 || channels === 0
      ? null
      : html`<p class="advice">
          ${counted(unheard, "monitor")} ${unheard === 1 ? "notifies" : "notify"} no one yet:
          <a href="/channels">choose ${unheard === 1 ? "it" : "all of them"} in a channel</a>.
        </p>`
  }`;
