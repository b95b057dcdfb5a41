/** `0.31 ms`, `7.1 ms`, `1 240 ms`, `12.3 s`: as the service writes it on every page. */
export function latencyShown(value: number): string {
  if (value < 1) return `${Number(value.toPrecision(2))}\u00a0ms`;
  const whole = Math.round(value);
  if (value < 9.95) return `${Math.round(value * 10) / 10}\u00a0ms`;
  if (whole < 10_000) return `${grouped(whole)}\u00a0ms`;
  return `${grouped(Math.round(value / 100) / 10)}\u00a0s`;
}

const grouped = (count: number): string =>
  String(count).replace(/\B(?=(\d{3})+(?:\.|$))/, "\u202f");
