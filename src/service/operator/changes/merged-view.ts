import { html, type Html } from "#web/page/html";
import { timeMark } from "#web/page/time-mark";
import { byPart } from "#service/operator/changes/colour-changes";
import { basisIn, rebased } from "#service/operator/changes/basis-field";
import { formPathOf } from "#service/operator/changes/changed-objects";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { fieldForm } from "#service/operator/changes/field-words";
import { filledForm, type FilledForm } from "#service/operator/changes/filled-form";
import { foldedChanges } from "#service/operator/changes/folded-changes";
import { type Clash, clashes } from "#service/operator/changes/clashes";
import { byUnit, fieldsByName, withUnits } from "#service/operator/changes/form-units";
import { type KeptChange, keptChanges } from "#service/operator/changes/kept-changes";
import type { MemberNames } from "#service/operator/changes/member-names";
import { mergedForm } from "#service/operator/changes/merged-form";
import { isSavedBy, saversOf, whoChanged } from "#service/operator/changes/saver-names";
import { isShownAgain, rehearsed } from "#service/operator/changes/rehearsal";
import { shownIn, withShownForm } from "#service/operator/changes/shown-version";
import {
  clashChoice,
  type FormVersions,
  versionChoice,
  type VersionWords,
} from "#service/operator/changes/version-choice";
import { filledIn } from "#service/operator/forms/filled-in";
import { withAllTicked } from "#service/operator/forms/packed-choices";
import { editMark } from "#service/operator/forms/form-turns";
import { fieldsAt } from "#service/operator/kept/fields-at";
import { lostFiles } from "#service/operator/kept/lost-files";
import { hiddenFields, keptFields, keptTexts } from "#service/operator/kept-fields";
import type { PageAnswer } from "#service/edge/page-answer";
import { filesOf } from "#service/operator/managed-note";
import type { OwnTypedForm } from "#service/operator/changes/gone-page";
import type { KnownReader } from "#service/operator/page-request";
import type { Basis } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";

export interface OvertakenForm extends OwnTypedForm {
  readonly basis: Basis;
  /** Does what a form asks. */
  readonly act: (form: URLSearchParams) => Promise<PageAnswer>;
  /** The page that has the form, as it is now. */
  readonly open: () => Promise<PageAnswer>;
}

/** What is saved of both: what only one changed, and a choice for each field that both changed. */
export async function mergedView(
  overtaken: OvertakenForm,
  since: readonly AuditEntry[],
  names: MemberNames,
): Promise<Html> {
  const { basis, action } = overtaken;
  const owner = newOwner(since);
  if (owner !== null) {
    const lede = `It belongs to ${filesOf(owner)} since you opened it, so nothing was saved: change it in the files.`;
    return unmergedView(overtaken, since, lede, names);
  }
  const merge = await merged(overtaken, since);
  if (merge === null) {
    const lede = "It cannot be compared with your form, so nothing was saved: open it again.";
    return unmergedView(overtaken, since, lede, names);
  }
  const version = merge.version ?? since[0]?.number ?? basis.version;
  const ready = withShownForm(rebased(merge.form, { ...basis, version }), merge.saved.form);
  const mine = await changesOf(overtaken, ready);
  const theirs = byPart(foldedChanges(since.toReversed().flatMap(({ fields }) => fields)));
  const clashing = await clashesIn(overtaken, merge, { theirs, mine: mine ?? [] });
  const conflicts = [...merge.conflicts, ...clashing.map(({ unit }) => unit)];
  const kept = await keptOf(overtaken, { ...merge, conflicts }, { since, theirs, mine });
  const isOwn = since.every((entry) => isSavedBy(entry, overtaken.reader));
  const whose = isOwn ? ownVersions : versionsOfTwo;
  const canGoOn = await isShownAgain(() => overtaken.act(edited(ready)));
  const choices = [
    ...merge.conflicts.map((unit) => versionChoice(unit, { ...merge, whose }, names)),
    ...clashing.map((clash) => clashChoice(basis.kind, clash, whose)),
  ];
  return html`<p class="lede-line">${ledeOf(since, conflicts.length, isOwn, overtaken.reader)}</p>
    <form method="post" action="${action}" class="form kept" ${filledIn}>
      ${hiddenFields(ready, overtaken.reader.formToken)}
      ${choices.length === 0 ? null : html`<div class="group">${choices}</div>`}
      ${choices.length > 0 && kept.length > 0 ? html`<h2>Other changes, all kept</h2>` : null}
      ${keptChanges(basis.kind, kept, names)} ${mine === null ? refusedNote(overtaken) : null}
      ${buttons({ basis, isChosen: conflicts.length > 0, canGoOn, canSave: mine !== null })}
    </form>`;
}

/** What both made of the object. */
interface BothChanges {
  readonly theirs: readonly FieldChange[];
  readonly mine: readonly FieldChange[];
}

/** What a form would change of the object; null if it would be refused. */
async function changesOf(
  { basis, act }: OvertakenForm,
  form: URLSearchParams,
): Promise<readonly FieldChange[] | null> {
  const changes = await rehearsed(basis, () => act(form));
  return changes === null ? null : byPart(changes);
}

const clashesIn = (
  overtaken: OvertakenForm,
  { base, form, saved, conflicts }: Merge,
  both: BothChanges,
): Promise<readonly Clash[]> => {
  const [own, theirs] = [byUnit(form), byUnit(saved.form)];
  const isOfMine = (unit: string): boolean =>
    !conflicts.includes(unit) && !saved.buttons.has(unit) && base !== null;
  const isChanged = (unit: string): boolean =>
    String(own.get(unit)) !== String(theirs.get(unit) ?? "");
  return clashes({
    ...both,
    units: [...own.keys()].filter((unit) => isOfMine(unit) && isChanged(unit)),
    without: (unit) => changesOf(overtaken, withUnits(form, saved.form, new Set([unit]))),
  });
};

interface Merge extends FormVersions {
  /** With mine, of what both changed. */
  readonly form: URLSearchParams;
  readonly conflicts: readonly string[];
  /** What the merge was made with; null if the form says no version. */
  readonly version: number | null;
}

/** Null if what is saved now cannot be read: to take it as equal would write over it. */
async function merged(
  { action, form: mine, open }: OvertakenForm,
  since: readonly AuditEntry[],
): Promise<Merge | null> {
  const shown = shownIn(mine);
  const base = shown === null ? null : withAllTicked(shown);
  const read = filledForm((await open()).body, action);
  if (read === null) return null;
  const saved: FilledForm = { ...read, form: withAllTicked(read.form) };
  const fields = fieldsByName(fieldsAt(action, mine));
  const three = { base, theirs: saved.form, mine };
  const isSecretChanged = secretsIn(since, fields);
  const { boxes, buttons } = saved;
  const { form, conflicts } = mergedForm({ ...three, fields, boxes, buttons, isSecretChanged });
  const version = basisIn(read.form)?.version ?? null;
  return { action, base, saved, mine, fields, form, conflicts, version };
}

/** Whether they may have changed the secret of a field. The log has a channel's settings as one. */
function secretsIn(
  since: readonly AuditEntry[],
  fields: FormVersions["fields"],
): (unit: string) => boolean {
  const changed = since.flatMap(({ fields: all }) => all);
  const named = new Set(changed.map(({ field }) => fieldForm(field)));
  const isOther = changed.some(({ field, is }) => is === "secret" && !fields.has(fieldForm(field)));
  return (unit) => named.has(unit) || isOther;
}

interface Outcome extends Omit<BothChanges, "mine"> {
  readonly since: readonly AuditEntry[];
  /** Null if my form would be refused. */
  readonly mine: readonly FieldChange[] | null;
}

/** Their changes and mine, without what both changed. */
async function keptOf(
  overtaken: OvertakenForm,
  { form, saved, conflicts }: Merge,
  { since, theirs, mine }: Outcome,
): Promise<readonly KeptChange[]> {
  const without = withUnits(form, saved.form, new Set(conflicts));
  const own = conflicts.length === 0 || mine === null ? mine : await changesOf(overtaken, without);
  const known = new Set((own ?? []).map((change) => JSON.stringify(change)));
  const chosen = new Set(
    (mine ?? []).filter((change) => !known.has(JSON.stringify(change))).map(({ field }) => field),
  );
  const byOf = (field: string): string =>
    whoChanged(
      overtaken.reader,
      since.filter(({ fields }) => byPart(fields).some((one) => one.field === field)),
    );
  return [
    ...theirs.map((change) => ({ change, by: byOf(change.field) })),
    ...(own ?? []).map((change) => ({ change, by: "you" })),
  ].filter(({ change }) => !chosen.has(change.field));
}

const versionsOfTwo: VersionWords = { mine: "Yours", theirs: "Theirs" };
const ownVersions: VersionWords = { mine: "In this tab", theirs: "In the other tab" };

function ledeOf(
  since: readonly AuditEntry[],
  conflicts: number,
  isOwn: boolean,
  reader: KnownReader,
): Html {
  const [newest] = since;
  if (isOwn && newest !== undefined) {
    const fields = conflicts === 1 ? "one field" : `${conflicts} fields`;
    const rest =
      conflicts === 0
        ? "Both changes are kept:"
        : `Both tabs changed ${fields}: choose what is saved.`;
    return html`This tab is not saved yet. You saved it in another tab (${timeMark(newest.at)}).
    ${rest}`;
  }
  const what =
    conflicts === 0
      ? "Both changes are kept:"
      : `You both changed ${conflicts === 1 ? "one field" : `${conflicts} fields`}: choose what is saved.`;
  return html`Nothing is saved yet: ${saversOf(since, reader)} changed it after you opened it.
  ${what}`;
}

const refusedNote = ({ action, form }: OvertakenForm): Html =>
  html`<p class="advice">
      Your form cannot be saved as it is. What you typed is
      kept.${lostFiles(fieldsAt(action, form), form)
        .map((label) => ` ${label} must be chosen again.`)
        .join("")}
    </p>
    ${keptTexts(form)}`;

interface Buttons {
  readonly basis: Basis;
  readonly isChosen: boolean;
  /** Whether the form comes back to be edited. */
  readonly canGoOn: boolean;
  readonly canSave: boolean;
}

function buttons({ basis, isChosen, canGoOn, canSave }: Buttons): Html {
  const isSaved = canSave || !canGoOn;
  const path = formPathOf(basis);
  return html`<p class="buttons">
    ${
      isSaved
        ? html`<button type="submit" class="main">
            ${isChosen ? "Save with your choices" : "Save both"}
          </button>`
        : null
    }
    ${
      canGoOn
        ? html`<button
            type="submit"
            ${isSaved ? null : html` class="main"`}
            name="${editMark}"
            value="yes"
          >
            Go on editing
          </button>`
        : null
    }
    ${path === null ? null : html`<a class="discard" href="${path}">Discard mine</a>`}
  </p>`;
}

function edited(form: URLSearchParams): URLSearchParams {
  const copy = new URLSearchParams(form);
  copy.set(editMark, "yes");
  return copy;
}

function unmergedView(
  { basis, action, form }: OvertakenForm,
  since: readonly AuditEntry[],
  lede: string,
  names: MemberNames,
): Html {
  const kept = since
    .toReversed()
    .flatMap((entry) => byPart(entry.fields).map((change) => ({ change, by: nameOfActor(entry) })));
  const path = formPathOf(basis);
  return html`<p class="lede-line">${lede}</p>
    ${keptChanges(basis.kind, kept, names)} ${keptFields({ action, form }, null)}
    ${path === null ? null : html`<p><a class="button main" href="${path}">See it as it is now</a></p>`}`;
}

/** The files that own it since; null if none took it over. */
function newOwner(since: readonly AuditEntry[]): string | null {
  const taken = since.flatMap(({ fields }) => fields).find(({ field }) => field === "owner");
  return taken === undefined || taken.is === "set" ? null : taken.after;
}
