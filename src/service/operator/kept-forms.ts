import { randomBytes } from "node:crypto";
import { after, type EpochMillis, type Millis } from "#base/units";
import { isMapping } from "#base/json";
import * as limits from "#limits/pages-limits";
import { editMark } from "#service/operator/forms/form-turns";
import { withLostFiles } from "#service/operator/kept/lost-files";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";

/** A form as it was sent, without what tied it to a session that has ended. */
export interface TypedForm {
  readonly path: string;
  readonly form: URLSearchParams;
}

interface SentWithFiles {
  readonly form: URLSearchParams;
  readonly files: ReadonlyMap<string, unknown>;
}

/**
 * Forms that came after their session had ended. Each is sealed, waits for a short time for whoever sent it, and is sent
 * again when that person says so: nothing that was typed is lost, and nothing is done by a form alone.
 */
export class KeptForms {
  readonly #rooms: Pick<PageRooms, "store" | "box" | "clock">;

  constructor(rooms: Pick<PageRooms, "store" | "box" | "clock">) {
    this.#rooms = rooms;
  }

  /**
   * Gives the address of the page that offers to send it; null if it cannot be kept. Files are not: whoever sends the form
   * is asked for them again.
   */
  async keep(who: string, path: string, sent: SentWithFiles): Promise<string | null> {
    const form = withLostFiles(sent);
    const id = await this.keepAs(who, { path, form }, limits.keptFormFor);
    return id === null ? null : `${keptFormsPath}${id}`;
  }

  /** Gives the word by which it is found; null if it cannot be kept. */
  async keepAs(who: string, { path, form }: TypedForm, length: Millis): Promise<string | null> {
    const { store, box, clock } = this.#rooms;
    const id = randomBytes(16).toString("base64url");
    const fields = [...form].filter(([name]) => name !== "form");
    const sealed = box.seal(JSON.stringify({ path, fields }), purposeFor(who));
    const until = after(clock.wall(), length);
    const { keptFormsOfOneMax, keptFormsMax } = limits;
    const isKept = await store.people.keptForms.keep(
      { id, who, sealed, until },
      keptFormsOfOneMax,
      keptFormsMax,
    );
    return isKept ? id : null;
  }

  /** Until when it is kept for this person; null if it is not. */
  async keptUntil(id: string, who: string): Promise<EpochMillis | null> {
    const { store, clock } = this.#rooms;
    return (await store.people.keptForms.get(id, who, clock.wall()))?.until ?? null;
  }

  /** Reads it; null if there is none for this person. */
  async get(id: string, who: string): Promise<TypedForm | null> {
    const { store, box, clock } = this.#rooms;
    const kept = await store.people.keptForms.get(id, who, clock.wall());
    return kept === null ? null : typedFormIn(box.open(kept.sealed, purposeFor(who)) ?? "{}");
  }

  /** Gives whether it was there. */
  remove(id: string, who: string): Promise<boolean> {
    return this.#rooms.store.people.keptForms.remove(id, who);
  }

  /** Takes it out, to be sent; null if there is none for this person. */
  async take(id: string, who: string): Promise<TypedForm | null> {
    const kept = await this.get(id, who);
    return kept !== null && (await this.remove(id, who)) ? kept : null;
  }

  /** The form itself, or the kept one that it sends, or only shows again; null if that is kept no more. */
  async sentBy(sent: TypedForm, reader: KnownReader): Promise<TypedForm | null> {
    if (!sent.path.startsWith(keptFormsPath) || reader.kind === "local") return sent;
    const kept = await this.take(sent.path.slice(keptFormsPath.length), reader.who);
    // The button is only there for a form that knows the mark: any other would be done.
    if (kept !== null && sent.form.has(editMark)) kept.form.set(editMark, "yes");
    return kept;
  }
}

export const keptFormsPath = "/kept-forms/";

const purposeFor = (who: string): string => `a form of ${who}`;

function typedFormIn(text: string): TypedForm | null {
  const kept: unknown = JSON.parse(text);
  if (!isMapping(kept) || typeof kept["path"] !== "string" || !Array.isArray(kept["fields"]))
    return null;
  const fields: readonly unknown[] = kept["fields"];
  const form = new URLSearchParams();
  for (const field of fields)
    if (Array.isArray(field)) form.append(String(field[0]), String(field[1]));
  return { path: kept["path"], form };
}
