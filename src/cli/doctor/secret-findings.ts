import type { Config } from "#agent/settings/config";
import { readSecretsOnce } from "#agent/secrets/secret-watch";
import { systemClock } from "#base/clock";
import { hasSources } from "#agent/secrets/read-secrets";
import { secretsOf } from "#agent/secrets/filled-target";
import { counted } from "#base/text";
import type { Monitor } from "#check/monitor";
import { failed, fine, type Finding, warning } from "#cli/doctor/finding";
import { lastAssignment } from "#cli/doctor/last-assignment";

/** Each secret of the location: where it may go, and which monitors of the last assignment name it. */
export async function secretFindings(config: Config): Promise<readonly Finding[]> {
  const { secretSources } = config;
  if (!hasSources(secretSources)) return [];
  const { secrets, unusable, away } = (await readSecretsOnce(secretSources, systemClock)).table;
  const users = usersOf((await lastAssignment(config))?.monitors ?? []);
  const missing = [...users.keys()].filter((name) => !secrets.has(name) && !unusable.has(name));
  return [
    ...(away === null
      ? []
      : [failed("secrets", away, "check PICKET_VAULT_ADDR, and that Vault is reached from here")]),
    ...[...secrets].map(([name, { hosts }]) =>
      secretFinding(
        name,
        hosts.map(({ text }) => text),
        users.get(name) ?? [],
      ),
    ),
    ...[...unusable].map(([name, why]) =>
      failed(
        "secret",
        `${name} cannot be used: ${why}`,
        "correct that; the agent reads it again within seconds",
      ),
    ),
    ...missing.map((name) =>
      failed(
        "secret",
        `${name} is not here, and ${named(users.get(name) ?? [])}`,
        "put it where the others are, or take it out of the monitor",
      ),
    ),
  ];
}

function secretFinding(name: string, hosts: readonly string[], users: readonly string[]): Finding {
  const who = users.length === 0 ? "no monitor names it" : named(users);
  if (hosts.length === 0)
    return warning(
      "secret",
      `${name} may go to no host; ${who}`,
      `write the hosts that may have it into ${name}.hosts, one in each line`,
    );
  return fine("secret", `${name} may go to ${hosts.join(", ")}; ${who}`);
}

const shownUsersMax = 3;

function named(users: readonly string[]): string {
  const shown = users.slice(0, shownUsersMax).join(", ");
  const more = users.length > shownUsersMax ? ` and ${users.length - shownUsersMax} more` : "";
  return `${counted(users.length, "monitor")} ${users.length === 1 ? "names" : "name"} it: ${shown}${more}`;
}

function usersOf(monitors: readonly Monitor[]): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const monitor of monitors)
    for (const name of secretsOf(monitor))
      users.getOrInsertComputed(name, () => []).push(monitor.name ?? `monitor ${monitor.id}`);
  return users;
}
