import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { connectManagement, type Management } from "#cli/management/management";
import { readServiceEnvironment } from "#cli/management/service-environment";
import { serviceFault } from "#cli/management/service-fault";
import { serviceWay } from "#cli/management/service-way";
import { showText } from "#base/text";

/** Why a command cannot do what it was asked, as a sentence: there is no such name, or there are two. */
export class CannotDo extends Error {
  override readonly name = "CannotDo";
}

/**
 * Connects to the service of the environment and does something there. What goes wrong is written as a sentence, and
 * the exit code says so.
 */
export async function withService(
  command: string,
  io: Io,
  act: (management: Management, serviceUrl: string) => Promise<number>,
): Promise<number> {
  const service = readServiceEnvironment(io);
  if (service === null) return exitCodes.failed;
  const { access, key } = service;
  try {
    const management = connectManagement(access.serviceUrl, key, serviceWay(access));
    return await act(management, access.serviceUrl);
  } catch (error) {
    const sentence = error instanceof CannotDo ? error.message : serviceFault(error, service);
    io.stderr.write(`picket ${command}: ${showText(sentence)}\n`);
    return exitCodes.failed;
  }
}
