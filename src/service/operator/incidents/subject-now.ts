import type { Incident } from "#service/alerting/incident";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { Pictures } from "#service/operator/pictures";

/** The monitor that an incident is about, with all that is seen of it also in a large service. */
export async function subjectNow(
  pictures: Pictures,
  { kind, id }: Incident["subject"],
): Promise<{ readonly picture: Picture; readonly monitor: PicturedMonitor | null }> {
  const picture = await pictures.now();
  const known = kind === "monitor" ? picture.monitors.filter((one) => one.id === id) : [];
  const [monitor = null] = await pictures.detailed(picture, known);
  return { picture, monitor };
}
