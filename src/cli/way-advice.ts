import type { Config } from "#config/config";
import type { ServiceReason } from "#transport/control-plane";

/** What to do where the way to the service failed, by the reason why. */
export function wayAdvice(
  reason: ServiceReason,
  { serviceProxy }: Pick<Config, "serviceProxy">,
): string {
  if (reason === "untrusted")
    return "give the authority that signed its certificate in PICKET_CA_FILE, as a PEM file";
  if (reason === "identity") return "check PICKET_CLIENT_CERT_FILE and PICKET_CLIENT_KEY_FILE";
  if (reason === "proxy" || serviceProxy !== null)
    return "check PICKET_SERVICE_PROXY or HTTPS_PROXY, and that the proxy may reach the service (PICKET_NO_PROXY goes round it)";
  return "check SERVICE_API_URL, that its name resolves here, and that a firewall lets this machine out to it, or set PICKET_SERVICE_PROXY";
}
