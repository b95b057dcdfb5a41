import { readServiceAccess, type ServiceAccess } from "#agent/settings/config";
import type { Io } from "#cli/edge/io";

/** A service that a command manages, the way to it, and the API key. */
export interface ServiceEnvironment {
  readonly access: ServiceAccess;
  readonly key: string;
}

/** Reads it from the environment, the way as an agent does; what is wrong with it goes to stderr, and null is the answer. */
export function readServiceEnvironment(io: Io): ServiceEnvironment | null {
  const { access, errors, warnings } = readServiceAccess(io.env);
  for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  const key = io.env["SERVICE_API_KEY"] ?? "";
  const problems = [
    // The agent's default is a service on its own machine; what is changed is to be named.
    ...(io.env["SERVICE_API_URL"]
      ? []
      : [
          "SERVICE_API_URL is not set: set it to the service's address, e.g. https://picket.example.com",
        ]),
    ...errors,
    ...(/^[\x21-\x7e]+$/.test(key)
      ? []
      : [
          `SERVICE_API_KEY ${key === "" ? "is not set" : "is not an API key"}: set it to one; picket service key create makes one on the service's machine`,
        ]),
  ];
  for (const problem of problems) io.stderr.write(`${problem}\n`);
  return problems.length > 0 || access === null ? null : { access, key };
}
