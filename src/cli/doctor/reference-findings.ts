import { placeSources } from "#agent/looks/place-sources";
import { fine, type Finding, warning } from "#cli/doctor/finding";
import { systemClock } from "#base/clock";
import type { Config } from "#agent/settings/config";
import { showHostPort } from "#network/host-port";
import type { Reference } from "#agent/prober/prober";

/** Whether each of the operator's references answers now: one that never does makes every failure look like this agent's. */
export async function referenceFindings({
  probing,
}: Pick<Config, "probing">): Promise<readonly Finding[]> {
  const { references } = probing;
  const about = "references";
  if (references.length === 0) return [];
  const sources = placeSources(probing, systemClock);
  if (sources === null)
    return [
      warning(
        about,
        "PICKET_EVIDENCE=off: PICKET_REFERENCES has no effect",
        "remove one of the two",
      ),
    ];
  const { signal } = new AbortController();
  const foundOf = async (reference: Reference): Promise<Finding> => {
    const where = showHostPort(reference.host, reference.port);
    const { failure } = await sources.askReference(reference, signal);
    if (failure === null) return fine(about, `${where} answers`);
    return warning(
      about,
      `${where} does not answer: ${failure.message}`,
      "name another in PICKET_REFERENCES: one that never answers makes a target's failure look like this agent's",
    );
  };
  return Promise.all(references.map(foundOf));
}
