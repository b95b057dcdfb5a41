import { ifKnown, listAll, type Management } from "#cli/management/management";

/** The monitors that go up and down, by their ids: the number of the incident of each. Their status says only how they are now. */
export type FlappingMonitors = ReadonlyMap<string, bigint>;

/** None of a service that does not know the call for incidents. */
export async function flappingMonitors(
  { incidents }: Management,
  signal: AbortSignal,
): Promise<FlappingMonitors> {
  const listed = listAll(async (page) => {
    const answer = await incidents.listIncidents(
      { open: true, kind: "monitor", ...page },
      { signal },
    );
    return { items: answer.incidents, totalSize: answer.totalSize };
  });
  const open = (await ifKnown(listed)) ?? [];
  return new Map(open.flatMap((one) => (one.flapping ? [[one.subjectId, one.number]] : [])));
}

/** What is said of a monitor in addition to its status; empty if it does not flap. */
export function flappingWords(id: string, flapping: FlappingMonitors): string {
  const number = flapping.get(id);
  return number === undefined ? "" : `flapping (incident ${number})`;
}
