import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import { type ChangeSchema, ConfigurationService } from "#contract/picket/v1/configuration_pb";
import type { Configurations } from "#service/configuration/configurations";
import { type ReadOnlyOwner, refuseReadOnlyOwner } from "#service/configuration/object-guard";
import type { PlannedChange } from "#service/configuration/planned-change";
import { timeText } from "#service/monitors/shown-monitor";

export interface ConfigurationApi {
  readonly configurations: Configurations;
  readonly readOnly: ReadOnlyOwner | null;
}

/**
 * picket.v1.ConfigurationService: plans and applies what files say, as a whole. No caller speaks for the owner of the
 * service's own folder: the folder itself does not pass here.
 */
export function configurationApi(
  router: ConnectRouter,
  { configurations, readOnly }: ConfigurationApi,
): void {
  router.service(ConfigurationService, {
    planConfiguration: async ({ configuration, prune }) => {
      refuseReadOnlyOwner(readOnly, configuration?.owner);
      const { changes, revision, unmanaged, conflicts, warnings, unheard } =
        await configurations.plan(configuration, prune);
      return {
        changes: changes.map(changeMessage),
        revision,
        unmanaged: unmanaged.map(({ kind, name, owner }) => ({ kind, name, owner })),
        conflicts: [...conflicts],
        warnings: [...warnings],
        monitorsWithoutChannel: unheard,
      };
    },
    applyConfiguration: async ({ configuration, prune, revision }) => {
      refuseReadOnlyOwner(readOnly, configuration?.owner);
      const planned = revision === "" ? null : revision;
      const { plan, tokens } = await configurations.apply(configuration, prune, planned);
      return {
        changes: plan.changes.filter(({ action }) => action !== "same").map(changeMessage),
        tokens: [...tokens].map(([name, token]) => ({ name, token })),
      };
    },
    importObject: (request) => {
      refuseReadOnlyOwner(readOnly, request.owner);
      return configurations.adopt(request);
    },
  } satisfies ServiceImpl<typeof ConfigurationService>);
}

const changeMessage = ({
  action,
  kind,
  name,
  fields,
  notes,
  touch,
}: PlannedChange): MessageInitShape<typeof ChangeSchema> => ({
  action,
  kind,
  name,
  fields: fields.map((one) => ({
    name: one.name,
    before: one.shown?.before ?? "",
    after: one.shown?.after ?? "",
    secret: one.shown === null && one.names === null,
    added: [...(one.names?.added ?? [])],
    removed: [...(one.names?.removed ?? [])],
  })),
  notes: [...notes, ...(touch?.deed === "deleted" ? ["it was deleted by hand"] : [])],
  touchedBy: touch?.by ?? "",
  touchedAt: timeText(touch?.at ?? null),
});
