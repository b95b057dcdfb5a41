import { createHash } from "node:crypto";
import { nameAsRead } from "#base/text";
import { html, type Html } from "#web/page/html";
import { foreseenAt } from "#service/agents/foresight";
import type { TypedMonitor } from "#service/operator/monitors/typed-monitor";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRehearsing } from "#service/store/audit/actor";
import type { LocationId } from "#service/store/ids";

/** What a person is to know before a monitor is saved; `field` then says which remarks were read. */
export interface SaveRemarks {
  readonly remarks: readonly string[];
  /** Another monitor, or another location, of the same name; null: there is none. */
  readonly namesake: Namesake | null;
  readonly known: string;
}

interface Namesake {
  readonly kind: "monitor" | "location";
  readonly id: number;
  readonly name: string;
}

/** The hidden field of a form that names the remarks that it shows. */
export const knownField = "known";

export const noRemarks: SaveRemarks = { remarks: [], namesake: null, known: "" };

/** Said of a monitor that runs nowhere, though there are locations: a person may have missed them. */
const unwatched = "Nothing will check this monitor.";

interface PlacesBefore {
  /** Locations that no form takes away. */
  readonly ofFiles: readonly LocationId[];
  /** Whether there is a location to choose. */
  readonly hasChoice: boolean;
  /** Whether it ran nowhere before, so that a person knows. */
  readonly isKnown: boolean;
}

/** The first other one whose name reads alike; null if there is none, or it had the name before. */
export function namesakeOf(
  kind: Namesake["kind"],
  name: string,
  before: { readonly id: number; readonly name: string } | null,
  others: readonly { readonly id: number; readonly name: string }[],
): Namesake | null {
  const read = nameAsRead(name);
  if (before !== null && nameAsRead(before.name) === read) return null;
  const found = others.find((one) => one.id !== before?.id && nameAsRead(one.name) === read);
  return found === undefined ? null : { kind, id: found.id, name: found.name };
}

/** What the agents of the chosen locations will do with it, and whether another monitor has its name. */
export async function beforeSaving(
  { store, instances }: Pick<PageRooms, "store" | "instances">,
  { definition, locations }: TypedMonitor,
  { ofFiles, hasChoice, isKnown }: PlacesBefore,
  namesake: Namesake | null,
): Promise<SaveRemarks> {
  const chosen = new Set([...locations, ...ofFiles.map(String)]);
  const isUnwatched = chosen.size === 0 && definition.active && hasChoice && !isKnown;
  if (isUnwatched) return asRemarks([unwatched], namesake);
  const places = (await store.state.locations.all()).filter(({ id }) => chosen.has(String(id)));
  return asRemarks(await foreseenAt(instances, definition, places), namesake);
}

export function asRemarks(
  remarks: readonly string[],
  namesake: Namesake | null = null,
): SaveRemarks {
  const all = [...remarks, ...(namesake === null ? [] : [`${namesake.id} ${namesake.name}`])];
  if (all.length === 0) return noRemarks;
  const known = createHash("sha256").update(all.join("\n")).digest("hex").slice(0, 16);
  return { remarks, namesake, known };
}

/** With what was not taken over of a command that was sent before anyone saw how it was read. */
export function withLeftOut(said: SaveRemarks, leftOut: readonly string[]): SaveRemarks {
  if (leftOut.length === 0) return said;
  const { remarks, namesake, known } = said;
  // The form that comes back has no command in it: only the other remarks are asked for again.
  return { remarks: [...leftOut, ...remarks], namesake, known: known === "" ? "yes" : known };
}

/** Whether a form was sent by someone who has read them. A rehearsal goes past them, to what the form would change. */
export const areKnown = ({ known }: SaveRemarks, form: URLSearchParams): boolean =>
  isRehearsing() || known === "" || known === form.get(knownField);

/** Shown above the form, which is saved by the same button once more: it says so. */
export function remarksView(
  { remarks, namesake }: SaveRemarks,
  button = "Save anyway",
): Html | null {
  const all = [
    ...remarks.map(remarkWords),
    ...(namesake === null ? [] : [namesakeWords(namesake)]),
  ];
  const [only] = all;
  if (only === undefined) return null;
  if (all.length === 1 && (namesake !== null || remarks.includes(unwatched)))
    return html`<div class="notice warn" role="alert" tabindex="-1" autofocus>
      <p><strong>Not saved yet.</strong> ${only}, or save it anyway.</p>
    </div>`;
  return html`<div class="notice warn" role="alert" tabindex="-1" autofocus>
    <p><strong>Not saved yet.</strong> Press ${button} to keep it as it is.</p>
    <ul>
      ${all.map((remark) => html`<li>${remark}</li>`)}
    </ul>
  </div>`;
}

const remarkWords = (remark: string): Html =>
  remark === unwatched
    ? html`${unwatched} <a href="#field-locations">Choose a location</a>`
    : html`${remark}`;

/** In messages, two of one name look like one. */
const namesakeWords = ({ kind, id, name }: Namesake): Html =>
  html`Another ${kind} is called <a href="/${kind}s/${id}">${name}</a>, and messages would not say
    which one ${kind === "monitor" ? "fails" : "they mean"}.
    <a href="#field-name">Change the name</a>`;
