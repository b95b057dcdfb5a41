import { readServiceAccess, type ServiceAccess } from "#config/config";
import type { Io } from "#cli/io";

/** A service that a command manages, the way to it, and the API key. */
export interface ServiceEnvironment {
  readonly access: ServiceAccess;
  readonly key: string;
}

/** Reads it from the environment, the way as an agent does; what is wrong with it goes to stderr, and null is the answer. */
export function readServiceEnvironment(io: Io): ServiceEnvironment | null {
  const { access, errors, warnings } = readServiceAccess(io.env, "API key");
  for (const warning of warnings) io.stderr.write(`warning: ${warning}\n`);
  const key = io.env["SERVICE_API_KEY"] ?? "";
  const problems = [
    // The agent's default is a service on its own machine; what is changed is to be named.
    ...(io.env["SERVICE_API_URL"] ? [] : ["SERVICE_API_URL is not set: https://… of the service"]),
    ...errors,
    ...(/^[\x21-\x7e]+$/.test(key)
      ? []
      : [key === "" ? "SERVICE_API_KEY is not set: an API key" : "SERVICE_API_KEY is not a key"]),
  ];
  for (const problem of problems) io.stderr.write(`${problem}\n`);
  return problems.length > 0 || access === null ? null : { access, key };
}
