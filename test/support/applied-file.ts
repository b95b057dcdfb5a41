import type { Service } from "#service/server";

/** Applies a configuration, as `picket apply` does with a file. */
export async function applyFile(
  service: Service,
  configuration: object,
  { prune = false }: { readonly prune?: boolean } = {},
): Promise<void> {
  const { key } = await service.admin.createApiKey({ name: "apply", scope: "write" });
  const call = async (method: string, body: object): Promise<{ revision: string }> => {
    const answer = await fetch(`${service.url}/picket.v1.ConfigurationService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return JSON.parse(await answer.text());
  };
  const { revision } = await call("PlanConfiguration", { configuration, prune });
  await call("ApplyConfiguration", { configuration, prune, revision });
}
