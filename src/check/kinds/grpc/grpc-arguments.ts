import * as kindsLimits from "#limits/kinds-limits";
import type { DefinitionOf } from "#check/definition";
import { rows, text, word } from "#check/argument";
import { type ArgumentsOf, commonArguments, nameArgument } from "#check/kinds/common-arguments";
import { grpcTlsModes } from "#check/kinds/grpc/grpc-monitor";
import * as limits from "#limits/check-limits";

export const grpcArguments: ArgumentsOf<DefinitionOf<"grpc">> = {
  name: nameArgument,
  uri: text({
    does: "`host:port` of a server with the gRPC health service. An IPv6 address is in brackets.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  service: text({
    does: "The service whose health is asked for. Left out, that of the whole server.",
    limit: `${kindsLimits.grpcServiceCharsMax} characters`,
    fallback: "",
  }),
  tls_mode: word(grpcTlsModes, {
    does: "`tls` verifies the certificate, `plaintext` speaks HTTP/2 without TLS, and `tls_insecure` takes any certificate.",
    fallback: "tls",
  }),
  metadata: rows(
    {
      key: text({
        does: "The name, in lower case. One that ends in `-bin` has a value in base64.",
      }),
      value: text({ does: "Its value. No output shows it." }),
    },
    {
      does: "Metadata sent with the call, in this order.",
      limit: `${limits.headersMax} entries`,
      fallback: [],
    },
  ),
  ...commonArguments,
};
