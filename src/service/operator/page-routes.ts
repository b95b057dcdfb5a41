import * as limits from "#limits/pages-limits";
import { icon } from "#web/page/style";
import { type Script, scriptAt } from "#web/scripts";
import { reportsPages } from "#service/operator/reports/uptime-report-answers";
import { chartPage } from "#service/operator/charts/chart-answers";
import { channelForms, channelPages } from "#service/operator/channels/channel-answers";
import { incidentPages, incidentForms } from "#service/operator/incidents/incident-answers";
import { failuresPage } from "#service/operator/failures/failures-page";
import { firstStartPage } from "#service/operator/first-start/first-start-page";
import { locationFormPages, locationForms } from "#service/operator/locations/location-form";
import { locationListPage } from "#service/operator/locations/location-list";
import { locationPage } from "#service/operator/locations/location-page";
import { agentRemovalForm, agentRemovalPage } from "#service/operator/locations/agent-removal";
import { removalForms, removalPages } from "#service/operator/locations/location-removal";
import { startPages, tokenForms } from "#service/operator/locations/start-page";
import {
  tokenRevocationForm,
  tokenRevocationPage,
} from "#service/operator/locations/token-revocation";
import { checkNowForm } from "#service/operator/monitors/check-now";
import { monitorPage, silenceMonitorForm } from "#service/operator/monitor-answers";
import { aliasPages } from "#service/operator/lists/address-aliases";
import type { BrowserChoices } from "#service/operator/lists/browser-choices";
import { viewForm } from "#service/operator/lists/view-switch";
import { manyForms } from "#service/operator/monitors/many-answers";
import {
  monitorFormForms,
  monitorFormPages,
} from "#service/operator/monitors/monitor-form-answers";
import { operatorStyle } from "#service/operator/operator-style";
import { maintenanceForms, maintenancePages } from "#service/operator/planned/maintenance-answers";
import { reportForms, reportPages } from "#service/operator/publishing/report-answers";
import {
  statusPageListForms,
  statusPageListPages,
} from "#service/operator/publishing/status-page-list";
import { statusPageForms, statusPagePages } from "#service/operator/publishing/status-page-answers";
import { subscriberForms, subscriberPages } from "#service/operator/publishing/subscriber-answers";
import { passkeyForms, passkeyPages } from "#service/operator/settings/passkey-answers";
import { profileForms, profilePages } from "#service/operator/settings/profile-answers";
import { mailForms, mailPages } from "#service/operator/settings/mail-answers";
import { serviceForms, servicePages } from "#service/operator/settings/service-answers";
import { sessionForms, sessionPages } from "#service/operator/settings/session-answers";
import { peopleForms, peoplePages } from "#service/operator/settings/people-answers";
import { keyForms, keyPages } from "#service/operator/settings/key-answers";
import { undoEditForm } from "#service/operator/kept/edit-undo-answers";
import { keptFormPage } from "#service/operator/kept/kept-form-page";
import { jumpPage } from "#service/operator/pictures/jump-answers";
import { overviewPage } from "#service/operator/overview-answers";
import { withAddedMeanwhile } from "#service/operator/changes/added-meanwhile";
import {
  basisIn,
  basisNow,
  editedAt,
  formPage,
  withBasis,
  withOwnBasis,
} from "#service/operator/changes/basis-field";
import { changesPages } from "#service/operator/changes/changes-answers";
import { asChosen } from "#service/operator/changes/form-units";
import { gonePage } from "#service/operator/changes/gone-page";
import { withLostFiles } from "#service/operator/kept/lost-files";
import { isAbsence, isOvertaking, overtakenPage } from "#service/operator/changes/overtaken-page";
import { shownIn, withShown } from "#service/operator/changes/shown-version";
import { deleteForms, deletePages } from "#service/operator/deleting/delete-answers";
import { restoredFirst, undoForms } from "#service/operator/deleting/undo-answers";
import { undoCloseForm } from "#service/operator/deleting/undo-closing";
import { undoNotice } from "#service/operator/deleting/undo-notice";
import { withUndoNotice } from "#service/operator/deleting/undo-order";
import { actingPage } from "#service/operator/forms/acting-page";
import { isSave } from "#service/operator/forms/is-save";
import { withAllTicked } from "#service/operator/forms/packed-choices";
import { basedOn } from "#service/store/audit/actor";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { may } from "#service/operator/roles";
import { notAllowed } from "#service/operator/not-allowed";
import type {
  FormRequest,
  OperatorForm,
  OperatorPage,
  PageContext,
  PageRequest,
} from "#service/operator/page-request";

export const pages: readonly OperatorPage[] = [
  overviewPage,
  jumpPage,
  ...monitorFormPages,
  firstStartPage,
  monitorPage,
  chartPage,
  ...reportsPages,
  locationListPage,
  locationPage,
  ...locationFormPages,
  ...startPages,
  tokenRevocationPage,
  ...removalPages,
  agentRemovalPage,
  ...incidentPages,
  failuresPage,
  ...channelPages,
  ...maintenancePages,
  ...statusPageListPages,
  ...statusPagePages,
  ...reportPages,
  ...subscriberPages,
  ...profilePages,
  ...passkeyPages,
  ...servicePages,
  ...mailPages,
  ...sessionPages,
  ...peoplePages,
  ...keyPages,
  keptFormPage,
  ...changesPages,
  ...deletePages,
  ...aliasPages,
];
export const forms: readonly OperatorForm[] = [
  ...monitorFormForms,
  ...manyForms,
  viewForm,
  checkNowForm,
  ...incidentForms,
  ...locationForms,
  ...tokenForms,
  tokenRevocationForm,
  ...removalForms,
  agentRemovalForm,
  ...channelForms,
  ...maintenanceForms,
  ...statusPageListForms,
  ...statusPageForms,
  ...reportForms,
  ...subscriberForms,
  ...profileForms,
  ...passkeyForms,
  ...serviceForms,
  ...mailForms,
  ...sessionForms,
  ...peopleForms,
  ...keyForms,
  silenceMonitorForm,
  ...deleteForms,
  ...undoForms,
  undoCloseForm,
  undoEditForm,
];

/** Does what a form asks, if the object is still as the form showed it, or is put back as the form wants. */
async function actOnBasis(
  context: PageContext,
  action: string,
  request: FormRequest,
  act: OperatorForm["act"],
): Promise<PageAnswer> {
  const { reader } = request;
  const typed = withOwnBasis(action, request.form);
  const sent = await restoredFirst(context, asChosen(typed, shownIn(typed)), reader);
  if (!(sent instanceof URLSearchParams)) return sent;
  const form = isSave(sent) ? await withAddedMeanwhile(context, withAllTicked(sent)) : sent;
  const basis = basisIn(form);
  const whole = { ...request, form: withAllTicked(form) };
  const asForm = (other: URLSearchParams) =>
    act(context, { ...request, form: withAllTicked(other), files: new Map() });
  const open = () => openForm(context, action, request);
  // No page can send a file again: whoever acts asks for it once more.
  const kept = withLostFiles({ form, files: request.files });
  const overtaken =
    basis === null ? null : { action, form: kept, basis, reader, act: asForm, open };
  const early = overtaken !== null && isSave(form) ? await overtakenPage(context, overtaken) : null;
  if (early !== null) return early;
  try {
    if (basis === null) return await act(context, whole);
    const page = await basedOn(basis, () => act(context, whole));
    const based = editedAt(action) === null ? page : withBasis(page, action, basis);
    return withShown(based, { action, form });
  } catch (error) {
    if (!isOvertaking(error)) throw error;
    // Someone else was quicker by a moment, or it was deleted.
    const page =
      (overtaken === null ? null : await overtakenPage(context, overtaken)) ??
      (isAbsence(error) && request.wantsPage
        ? await gonePage(context, { action, form: kept, reader })
        : null);
    if (page === null) throw error;
    return page;
  }
}

const assets: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ["/style.css", { type: "text/css; charset=utf-8", body: operatorStyle }],
  ["/icon.svg", { type: "image/svg+xml", body: icon }],
]);

/** Looks and script, which say nothing of the service; null for every other path. */
export function assetAnswer(pathname: string): PageAnswer | null {
  const script = scriptAt(pathname);
  if (script !== null) return scriptAnswer(script);
  const asset = assets.get(pathname);
  if (asset === undefined) return null;
  const headers = { "cache-control": `public, max-age=${limits.assetFreshFor / 1000}` };
  return { status: 200, ...asset, headers };
}

/** A script is kept for as long as a browser likes, if its address says which text it has. */
const scriptAnswer = ({ type, body, isExact }: Script): PageAnswer => ({
  status: 200,
  type,
  body,
  headers: isExact
    ? { "cache-control": `public, max-age=${limits.scriptKeptFor / 1000}, immutable` }
    : {},
});

/** Whether a path is of a page that shows something of the service, or of a form in one. */
export const isPagePath = (pathname: string): boolean =>
  [...pages, ...forms].some(({ path }) => path.test(pathname));

/** Whether a form is sent there that may have files. */
export const takesFiles = (pathname: string): boolean =>
  forms.some((one) => one.takesFiles === true && one.path.test(pathname));

/** Answers a GET; that of an address which only takes a form leads to the page with that form. */
export async function pageAnswer(
  context: PageContext,
  pathname: string,
  request: Pick<PageRequest, "query" | "reader" | "address"> & BrowserChoices,
): Promise<PageAnswer> {
  for (const { path, role, answer } of pages) {
    const found = path.exec(pathname);
    if (found === null) continue;
    const { id = "", part = "", json } = found.groups ?? {};
    if (!may(request.reader, role)) return notAllowed(context, request, role);
    const asked = { ...request, id, part, isDocument: json !== undefined };
    const edited = editedAt(pathname);
    // Asked for before the page is: what changes in between is noticed.
    const basis = edited === null ? null : await basisNow(context.rooms, edited);
    const [page, notice] = await Promise.all([
      answer(context, asked),
      undoNotice(context, asked, pathname),
    ]);
    const based = withShown(basis === null ? page : withBasis(page, pathname, basis));
    return withUndoNotice(based, notice);
  }
  return seeOther(actingPage(pathname, (path) => pages.some((page) => page.path.test(path))));
}

/** The page that has the form of this address. */
function openForm(
  context: PageContext,
  action: string,
  { reader, theme, address }: FormRequest,
): Promise<PageAnswer> {
  const { pathname, searchParams: query } = new URL(formPage(action), "http://service.invalid");
  return pageAnswer(context, pathname, { query, reader, theme, address });
}

/** Answers a POST whose form is ours. */
export async function formAnswer(
  context: PageContext,
  pathname: string,
  request: Omit<FormRequest, "id" | "part">,
): Promise<PageAnswer> {
  for (const { path, role, act } of forms) {
    const found = path.exec(pathname);
    if (found === null) continue;
    if (!may(request.reader, role)) return notAllowed(context, request, role);
    const { id = "", part = "" } = found.groups ?? {};
    return actOnBasis(context, pathname, { ...request, id, part }, act);
  }
  return lineAnswer(405, "Only GET is answered here.", { allow: "GET, HEAD" });
}
