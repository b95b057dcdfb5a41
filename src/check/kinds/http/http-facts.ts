import type { Fact } from "#check/fact";
import type { HttpOutcome } from "#check/outcome";
import { counted } from "#base/text";

export function httpFacts({ response, hops }: HttpOutcome): readonly Fact[] {
  const facts: Fact[] = [];
  if (response !== null) {
    const { version, statusCode, bodyBytes, bodyCut, informational } = response;
    const size = `${counted(bodyBytes, "byte")}${bodyCut ? " read, which is not the whole body" : ""}`;
    const interim = informational.length === 0 ? "" : `, after ${informational.join(", ")}`;
    facts.push({ label: "Answer", value: `HTTP/${version} ${statusCode}, ${size}${interim}` });
  }
  const last = hops.at(-1);
  if (last !== undefined && hops.length > 1)
    facts.push({
      label: "Redirected",
      value: `${counted(hops.length - 1, "time")}, to ${last.url}`,
    });
  return facts;
}
