import { expect, test } from "vitest";
import { applyFile } from "../../support/applied-file.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { operatorScene } from "../../support/operator-scene.ts";

test("an import that another one overtakes after it read is refused, and the other's stands", async () => {
  const meanwhile = { owner: "" };
  const { service } = await operatorScene({
    days: 0,
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      const { configuration } = store;
      const estate = async () => {
        const read = await configuration.estate();
        if (meanwhile.owner !== "") await configuration.own("page", 1, meanwhile.owner, "team");
        return read;
      };
      const own = { ...configuration, estate };
      return new Proxy(store, {
        get: (target, name): unknown =>
          name === "configuration" ? own : Reflect.get(target, name, target),
      });
    },
  });
  await applyFile(service, { owner: "team", pages: [{ page: { slug: "acme", title: "Acme" } }] });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const taken = async (owner: string, fromOwner: string) => {
    const answer = await fetch(`${service.url}/picket.v1.ConfigurationService/ImportObject`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({ kind: "status_page", name: "acme", owner, fromOwner }),
    });
    return answer.text();
  };
  meanwhile.owner = "quicker";
  expect(await taken("slower", "team")).toContain(
    'the status page \\"acme\\" was taken or deleted meanwhile, and nothing was changed: try again',
  );
  meanwhile.owner = "";
  expect(await taken("slower", "team")).toContain('belongs to \\"quicker\\"');
});
