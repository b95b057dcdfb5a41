import { type Finding, fine, warning } from "#cli/doctor/finding";
import { isMissing } from "#cli/service/service-database";
import { publicAddressIn } from "#service/edge/public-address";
import { isServer, openStore } from "#service/store/open-store";
import { publicAddressSetting } from "#service/store/state-store";

/** Where links in messages lead: to the address of the setting, else to the one that an owner gave on the pages. */
export async function linkFindings(
  publicUrl: string | null,
  database: string,
): Promise<readonly Finding[]> {
  const about = "links";
  const url = publicUrl ?? (await givenAddress(database));
  if (url !== null) return [fine(about, `messages lead to ${url}`)];
  return [
    warning(
      about,
      "messages have no links, not even to acknowledge",
      "give the address at which people open the service in Settings → Service, or set PICKET_SERVICE_PUBLIC_URL to it",
    ),
  ];
}

async function givenAddress(database: string): Promise<string | null> {
  if (!isServer(database) && isMissing(database)) return null;
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  return publicAddressIn((await store.state.settings.all()).get(publicAddressSetting) ?? "");
}
