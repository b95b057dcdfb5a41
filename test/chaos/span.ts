/** When an agent ran and knew its monitors. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly killed: boolean;
}
