import { Code, ConnectError } from "@connectrpc/connect";
import type { ServiceEnvironment } from "#cli/management/service-environment";
import { removed } from "#check/shown-header";
import { showUrl } from "#check/target";
import { wayFailure } from "#transport/service-failure";
import { serviceTrouble } from "#transport/service-trouble";
import { showText } from "#base/text";

/** What went wrong with a call to the service, as a sentence for the person whose command it was. */
export function serviceFault(error: unknown, { access, key }: ServiceEnvironment): string {
  if (!(error instanceof ConnectError)) throw error;
  const onTheWay = wayFailure(error.cause);
  if (onTheWay !== null) {
    const { nextStep } = serviceTrouble(onTheWay.reason, { proxied: access.serviceProxy !== null });
    return `${showText(onTheWay.message)}. Next: ${nextStep}`;
  }
  const url = showUrl(access.serviceUrl);
  // A server that shows what it was sent, as some do in their errors, shows the key.
  const said = showText(error.rawMessage.replaceAll(key, removed));
  switch (error.code) {
    case Code.Unauthenticated:
      return "The service does not know the key in SERVICE_API_KEY. Create one with: picket service key create";
    case Code.PermissionDenied:
      return `The key in SERVICE_API_KEY may not do this (${said}). Use a key with the scope write.`;
    case Code.Unavailable:
      // A proxy or a balancer in front answers so, too, without these words.
      if (error.metadata.get("error-domain") === "picket")
        return `The service at ${url} cannot do this now (${said}). Try again; if it stays so, "picket service doctor" on its machine says what is wrong.`;
      return notReached(url, said);
    case Code.DeadlineExceeded:
      return notReached(url, said);
    case Code.Unimplemented:
    case Code.Unknown:
      return `What answers at ${url} is not a service that Picket knows (${said}). Is SERVICE_API_URL right?`;
    case Code.InvalidArgument:
      return `The service refused it: ${said}.`;
    case Code.Canceled:
      return "Aborted.";
    case Code.NotFound:
    case Code.AlreadyExists:
    case Code.ResourceExhausted:
    case Code.FailedPrecondition:
    case Code.Aborted:
    case Code.OutOfRange:
    case Code.Internal:
    case Code.DataLoss:
      return `The service could not do it: ${said}.`;
  }
}

const notReached = (url: string, said: string): string =>
  `The service at ${url} cannot be reached (${said}). Is SERVICE_API_URL right, and does it run?`;
