import type { PicturedMonitor } from "#service/operator/picture";
import { isAway } from "#service/store/store-fault";

/**
 * Reads what there is of a monitor. A picture may be older than the loss of a database server: if that is met here, the
 * monitor is read again as one whose results cannot be read.
 */
export async function unlessAway<R>(
  monitor: PicturedMonitor,
  read: (monitor: PicturedMonitor) => Promise<R>,
): Promise<{ readonly monitor: PicturedMonitor; readonly found: R }> {
  try {
    return { monitor, found: await read(monitor) };
  } catch (error) {
    if (!isAway(error) || monitor.unread) throw error;
    const unread = { ...monitor, unread: true };
    return { monitor: unread, found: await read(unread) };
  }
}
