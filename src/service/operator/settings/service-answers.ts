import { counted } from "#base/text";
import { violation } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { type PublicAddress, publicAddressIn } from "#service/edge/public-address";
import { doneNotice } from "#service/operator/form-notice";
import {
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Provider } from "#service/notify/channel";
import {
  type EnvironmentSetting,
  serviceView,
  type ServicePage,
} from "#service/operator/settings/service-view";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";

const servicePath = "/settings/service";

/** `/settings/service`: what the service is called by, for links in what it sends. */
const servicePage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/service$/,
  answer: async (context, request) =>
    shown(context, request, { notice: doneNotice(noticeIn(request.query, addressNotices)) }),
};

async function shown(
  context: PageContext,
  { reader, address }: Pick<PageRequest, "reader" | "address">,
  said: Partial<ServicePage>,
): Promise<PageAnswer> {
  const known = context.rooms.publicAddress;
  const page: ServicePage = {
    reader,
    url: known.url,
    localUrl: known.localUrl,
    isSetting: known.isSetting,
    notice: null,
    mistakes: [],
    typed: known.url?.replace(/\/$/, "") ?? address,
    hidden: {},
    button: "Save",
    environment: environmentOf(context.rooms),
    ...said,
  };
  const status = page.mistakes.length > 0 ? 400 : 200;
  const content = serviceView(page);
  return settingsPage(
    context,
    { reader },
    { path: servicePath, title: "Service", content, status },
  );
}

function environmentOf({
  channels,
  mailServer,
  oidc,
  publicAddress,
}: PageRooms): EnvironmentSetting[] {
  const account = (what: string, name: string, provider: Provider): EnvironmentSetting => ({
    what,
    name,
    isSet: channels.lacking(provider) === null,
  });
  return [
    account("Telegram bot", "PICKET_TELEGRAM_BOT_TOKEN", "telegram"),
    account("SMS by Twilio", "PICKET_TWILIO_ACCOUNT_SID", "sms"),
    account("WhatsApp", "PICKET_WHATSAPP_PROVIDER", "whatsapp"),
    {
      what: "Mail server",
      name: "PICKET_SMTP_URL",
      isSet: mailServer.isSetting,
      ...(mailServer.account === null ? {} : { otherwise: "given in Settings → Mail" }),
    },
    { what: "Identity provider", name: "PICKET_SERVICE_OIDC_ISSUER", isSet: oidc !== null },
    {
      what: "Public address",
      name: "PICKET_SERVICE_PUBLIC_URL",
      isSet: publicAddress.isSetting,
      ...(publicAddress.url === null ? {} : { otherwise: "given above" }),
    },
  ];
}

const addressForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/service$/,
  act: async (context, request) => {
    const { publicAddress, passkeys } = context.rooms;
    const next = wantedPath(request.form.get("next") ?? servicePath);
    const typed = (request.form.get("address") ?? "").trim();
    try {
      const url = typed === "" ? null : publicAddressIn(typed);
      if (publicAddress.isSetting) throw violation({ field: "", message: bySetting });
      if (typed !== "" && url === null) throw violation({ field: "address", message: noAddress });
      const lost = url === null ? 0 : await passkeys.lostBy(publicAddress.url, url);
      if (url !== null && lost > 0 && request.form.get("without_passkeys") !== url)
        return await shown(context, request, { typed, ...asked(url, next, lost) });
      await publicAddress.change(url);
      return seeOther(withNotice(next, noticeOf(publicAddress)));
    } catch (error) {
      return shown(context, request, { typed, mistakes: mistakesOf(error) });
    }
  },
};

/** The form once more, if passkeys do not work at the new address: a second press for the same address saves it. */
const asked = (url: string, next: string, lost: number): Partial<ServicePage> => ({
  mistakes: [{ field: "", message: lostPasskeys(url, lost) }],
  hidden: { next, without_passkeys: url },
  button: "Save nevertheless",
});

const lostPasskeys = (url: string, lost: number): string =>
  `${counted(lost, "passkey")} would stop working, because ${lost === 1 ? "it is" : "they are"} for another host than that of ${url}. People who have only passkeys then sign in with a recovery code. To save it nevertheless, press the button again`;

const noAddress = "must be a scheme and a host, for example https://picket.example.com";
const bySetting = "PICKET_SERVICE_PUBLIC_URL says the address: change it there";

const noticeOf = ({ url, linkUrl }: PublicAddress): keyof typeof addressNotices => {
  if (url !== null) return "address";
  return linkUrl === null ? "no-address" : "local-address";
};

export const addressNotices = {
  address: "Saved. Links in messages lead there from now on.",
  "local-address": "Saved. Links in messages lead to this machine from now on.",
  "no-address": "Saved. Messages have no links from now on.",
} as const;
export const servicePages: readonly OperatorPage[] = [servicePage];
export const serviceForms: readonly OperatorForm[] = [addressForm];
