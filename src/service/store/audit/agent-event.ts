import type { FieldChange } from "#service/store/audit/field-change";

/** Someone removed an agent that is gone: what the location is stays, so the entry says itself what happened. */
export interface AgentEvent {
  readonly deed: "changed";
  readonly agent: RemovedAgent;
}

/** An agent of a location that was removed. */
export interface RemovedAgent {
  readonly location: number;
  readonly locationName: string;
  /** Its machine and its id. */
  readonly name: string;
}

export const agentEvents = (agent: RemovedAgent | null): readonly AgentEvent[] =>
  agent === null ? [] : [{ deed: "changed", agent }];

export const agentFields = ({ agent }: AgentEvent): readonly FieldChange[] => [
  { field: "agents", is: "set", added: [], removed: [agent.name] },
];
