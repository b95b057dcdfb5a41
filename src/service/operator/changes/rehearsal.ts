import type { PageAnswer } from "#service/edge/page-answer";
import { rehearsing } from "#service/store/audit/actor";
import type { Subject } from "#service/store/audit/audited";
import type { FieldChange } from "#service/store/audit/field-change";
import type { ObjectChange } from "#service/store/audit/recording";
import { StoreFault } from "#service/store/store-fault";

/** What a form would change of an object if it was saved now; null if it would be refused. Nothing is written. */
export async function rehearsed(
  { kind, id }: Subject,
  act: () => Promise<PageAnswer>,
): Promise<readonly FieldChange[] | null> {
  const fault = await faultOf(act);
  if (fault?.code !== "rehearsed") return null;
  const changes: readonly ObjectChange[] = JSON.parse(fault.message);
  return changes.find(({ subject }) => subject.kind === kind && subject.id === id)?.fields ?? [];
}

/** Whether a form comes back to be edited, and is not saved. */
export const isShownAgain = async (act: () => Promise<PageAnswer>): Promise<boolean> =>
  (await faultOf(act)) === null;

/** Whether a form would be refused so. */
export async function isRefusedAs(
  isIt: (error: unknown) => boolean,
  act: () => Promise<PageAnswer>,
): Promise<boolean> {
  try {
    await rehearsing(act);
    return false;
  } catch (error) {
    return isIt(error);
  }
}

/** What stopped it; null if it gave a page. Any other error will come again when it is saved. */
async function faultOf(act: () => Promise<PageAnswer>): Promise<StoreFault | null> {
  try {
    await rehearsing(act);
    return null;
  } catch (error) {
    return error instanceof StoreFault ? error : new StoreFault("unsupported", String(error));
  }
}
