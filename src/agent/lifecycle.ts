export type LifecycleState = "starting" | "running" | "draining" | "stopped";

const moves: { readonly [S in LifecycleState]: readonly LifecycleState[] } = {
  starting: ["running", "draining", "stopped"],
  running: ["draining", "stopped"],
  draining: ["stopped"],
  stopped: [],
};

/** Where an agent is in its life; a move that the table does not know is a bug. */
export class Lifecycle {
  #state: LifecycleState = "starting";

  get state(): LifecycleState {
    return this.#state;
  }

  moveTo(state: LifecycleState): void {
    if (!moves[this.#state].includes(state))
      throw new Error(`An agent that is ${this.#state} cannot become ${state}`);
    this.#state = state;
  }
}
