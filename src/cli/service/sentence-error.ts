import { StoreFault } from "#service/store/store-fault";
import { Refusal } from "#service/edge/call-refusal";

/** What the machine or the service says of what was asked is a sentence; a TypeError and its like are bugs. */
export const isSentence = (error: unknown): error is Error =>
  Error.isError(error) &&
  (error.name === "Error" || error instanceof Refusal || error instanceof StoreFault);
