import type { FailureCode } from "#check/failure";

/** What the failure of a look-up says of the name servers. */
type NameFault = "no answer" | "no such name" | "no usable answer";

export const nameFaultOf = (code: FailureCode): NameFault =>
  isOfNames(code) ? nameFaults[code] : "no usable answer";

type NameCode = Extract<FailureCode, `dns_${string}`>;

const nameFaults: { readonly [C in NameCode]: NameFault } = {
  dns_timeout: "no answer",
  dns_unreachable: "no answer",
  dns_nxdomain: "no such name",
  dns_nodata: "no such name",
  dns_servfail: "no usable answer",
  dns_refused: "no usable answer",
  dns_rcode: "no usable answer",
  dns_malformed: "no usable answer",
  dns_truncated: "no usable answer",
};

const isOfNames = (code: FailureCode): code is NameCode => Object.hasOwn(nameFaults, code);
