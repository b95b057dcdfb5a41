import { createHash } from "node:crypto";
import { html, type Html } from "#web/page/html";
import { foreseenAt } from "#service/agents/foresight";
import type { TypedMonitor } from "#service/operator/monitors/typed-monitor";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRehearsing } from "#service/store/audit/actor";
import type { LocationId } from "#service/store/ids";

/** What a person is to know before a monitor is saved; `field` then says which remarks were read. */
export interface SaveRemarks {
  readonly remarks: readonly string[];
  readonly known: string;
}

/** The hidden field of a form that names the remarks that it shows. */
export const knownField = "known";

export const noRemarks: SaveRemarks = { remarks: [], known: "" };

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

/** What the agents of the chosen locations will do with it. */
export async function beforeSaving(
  { store, instances }: Pick<PageRooms, "store" | "instances">,
  { definition, locations }: TypedMonitor,
  { ofFiles, hasChoice, isKnown }: PlacesBefore,
): Promise<SaveRemarks> {
  const chosen = new Set([...locations, ...ofFiles.map(String)]);
  const isUnwatched = chosen.size === 0 && definition.active && hasChoice && !isKnown;
  if (isUnwatched) return asRemarks([unwatched]);
  const places = (await store.state.locations.all()).filter(({ id }) => chosen.has(String(id)));
  return asRemarks(await foreseenAt(instances, definition, places));
}

export function asRemarks(remarks: readonly string[]): SaveRemarks {
  if (remarks.length === 0) return noRemarks;
  const known = createHash("sha256").update(remarks.join("\n")).digest("hex").slice(0, 16);
  return { remarks, known };
}

/** Whether a form was sent by someone who has read them. A rehearsal goes past them, to what the form would change. */
export const areKnown = ({ known }: SaveRemarks, form: URLSearchParams): boolean =>
  isRehearsing() || known === "" || known === form.get(knownField);

/** Shown above the form, which is saved by the same button once more. */
export function remarksView({ remarks }: SaveRemarks): Html | null {
  if (remarks.length === 0) return null;
  if (remarks.includes(unwatched))
    return html`<div class="advice" role="alert" tabindex="-1" autofocus>
      <p>
        <strong>Not saved yet.</strong> ${unwatched}
        <a href="#field-locations">Choose a location</a>, or save it anyway.
      </p>
    </div>`;
  return html`<div class="advice" role="alert" tabindex="-1" autofocus>
    <p><strong>Not saved yet.</strong> Save once more to keep it as it is.</p>
    <ul>
      ${remarks.map((remark) => html`<li>${remark}</li>`)}
    </ul>
  </div>`;
}
