import { html, type Html } from "#web/page/html";
import { basisField } from "#service/operator/changes/basis-field";
import type { SmtpAccount } from "#service/notify/accounts";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { type FormState, openGroup } from "#service/operator/forms/form-group";
import { fieldView } from "#service/operator/forms/field-view";
import { formView } from "#service/operator/forms/form-view";
import { listHead } from "#service/operator/lists/list-head";
import { zoneField } from "#service/operator/settings/mail-test";
import { scriptTag } from "#service/operator/script-tag";
import { tryingMark } from "#service/operator/channels/test-wait";
import type { KnownReader } from "#service/operator/page-request";
import { mailFields } from "#service/operator/settings/mail-fields";
import { settingPart } from "#service/operator/settings/setting-part";
import type { Basis } from "#service/store/audit/actor";

export const mailPath = "/settings/mail";
/** The button that sends a test mail, and saves nothing. */
export const testButton = "test";

export interface MailPage {
  readonly reader: KnownReader;
  readonly account: SmtpAccount | null;
  /** Whether the environment says it. */
  readonly isSetting: boolean;
  /** Whether one is kept that the service's key does not open. */
  readonly isLost: boolean;
  readonly state: FormState;
  /** What became of a save. */
  readonly notice: FormNotice | null;
  /** What became of a test. */
  readonly tested: FormNotice | null;
  readonly basis: Basis | null;
  /** Where a person continues; empty: here. */
  readonly next: string;
}

export const mailView = (page: MailPage): Html =>
  html`${page.next === "" ? null : html`<p class="back"><a href="${page.next}">Back without a change</a></p>`}
  ${listHead({
    title: "Mail server",
    count: null,
    sentence:
      "It sends alerts by e-mail, news to subscribers, invitations, and links for a new password.",
    acts: null,
  })}
  ${noticeLine(page.notice)} ${page.notice !== null && !page.notice.isFault ? onward(page) : null}
  ${page.isSetting ? bySetting(page) : givenPart(page)} ${scriptTag("zone")}`;

/** What the environment says is shown, and can be tested. */
const bySetting = (page: MailPage): Html =>
  settingPart({
    id: "mail",
    title: "Set in the service's environment",
    says: html`Mails are sent by <strong>${page.account?.host ?? ""}</strong>, port
      ${page.account?.port ?? ""}, and come from <strong>${page.account?.from ?? ""}</strong>. The
      settings <code>PICKET_SMTP_URL</code> and <code>PICKET_SMTP_FROM</code> say so: change them
      there, and restart the service.`,
    content: html`<form method="post" action="${mailPath}" class="form" novalidate>
      <input type="hidden" name="form" value="${page.reader.formToken}" />
      <input type="hidden" name="${zoneField}" value="" />
      ${testFields(page)}
    </form>`,
  });

const givenPart = (page: MailPage): Html =>
  html`${stateLine(page)}
  ${formView({
    reader: page.reader,
    state: page.state,
    action: mailPath,
    fields: mailFields,
    groups: [openGroup("server", "Server")],
    choices: {},
    hidden: { [zoneField]: "", ...(page.next === "" ? {} : { next: page.next }) },
    lead: page.basis === null ? null : basisField(page.basis),
    isLocked: false,
    isNew: page.account === null,
    submit: "Save",
    cancel: page.next === "" ? null : page.next,
    extra: html`<fieldset class="group">
      <legend>Test before you save</legend>
      ${testFields(page)}
    </fieldset>`,
    actions:
      page.account === null && !page.isLost
        ? null
        : html`<a class="button" href="${mailPath}/delete">Use no mail server</a>`,
  })}`;

function stateLine({ account, isLost }: MailPage): Html | null {
  if (isLost)
    return html`<div class="trouble error">
      <p class="why">No mails are sent: the service cannot read its mail server.</p>
      <p>
        The key that sealed it is not the service's: put the key file of the backup back, or give
        the server again.
      </p>
    </div>`;
  if (account !== null) return null;
  return html`<p class="advice">
    No mail server is set yet, so no mails are sent. To keep it out of the database, set
    <code>PICKET_SMTP_URL</code> and <code>PICKET_SMTP_FROM</code> instead.
  </p>`;
}

/** What a person sets a mail server for; nothing while there is none. */
const onward = ({ account }: MailPage): Html | null =>
  account === null
    ? null
    : html`<p>
        <a href="/channels/new/email">Create a mail channel</a> to be notified by mail when a
        monitor fails.
      </p>`;

const testFields = (page: MailPage): Html => {
  const { state, tested } = page;
  const { test_to: to } = mailFields;
  const shown = { ...state, choices: {}, fixed: {}, notes: {}, first: null, idPrefix: "" };
  return html`<div id="test">
    ${to === undefined ? null : fieldView("test_to", to, shown)}
    <p class="try">
      <button
        type="submit"
        name="${testButton}"
        value="yes"
        data-stay="test"
        ${tryingMark("email")}
      >
        Send a test mail
      </button>
    </p>
    ${noticeLine(tested)} ${tested !== null && !tested.isFault ? onward(page) : null}
  </div>`;
};
