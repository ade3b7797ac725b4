import type { Fen } from "../../../platform/kernel/fen.ts";

export type DayOf = { day: string; rate: number | null; collected: Fen | null };
type Tick = { y: number; text: string };

/** 1234567 fen → 1.2万, without a fraction where there is none. */
export function shortYuan(fen: Fen): string {
  const whole = Math.round(fen / 100);
  return Math.abs(whole) < 10_000 ? String(whole) : `${Number((whole / 10_000).toFixed(1))}万`;
}

/** The next round number at or above: 1, 2, 4, 5 or 8 times a power of ten. */
export function roundUp(n: number): number {
  if (n <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(n));
  return power * ([1, 2, 4, 5, 8, 10].find((m) => m * power >= n) ?? 10);
}

/** Bars between two heights from 0 to a round number. Days on which more was taken back than taken stand at 0. */
export function barsOf(days: readonly DayOf[], top: number, bottom: number) {
  const known = days.map((d) => d.collected).filter((v) => v !== null);
  if (!known.length) return { heights: days.map(() => null), ticks: [] as Tick[] };
  const most = roundUp(Math.max(...known, 0));
  const heights = days.map(({ collected }) =>
    collected === null ? null : (Math.max(0, collected) / most) * (bottom - top),
  );
  const ticks = [most, most / 2, 0].map((fen, i): Tick => ({
    y: top + ((bottom - top) * i) / 2,
    text: shortYuan(fen),
  }));
  return { heights, ticks };
}

/** The rate between two heights, on a scale that shows its movement: at least two points of percent apart. */
export function lineOf(days: readonly DayOf[], top: number, bottom: number) {
  const known = days.map((d) => d.rate).filter((v) => v !== null);
  if (!known.length) return { points: days.map(() => null), ticks: [] as Tick[] };
  const least = Math.floor(Math.min(...known) * 100);
  const most = Math.max(Math.ceil(Math.max(...known) * 100), least + 2);
  const y = (percent: number) => bottom - ((percent - least) / (most - least)) * (bottom - top);
  return {
    points: days.map(({ rate }) => (rate === null ? null : y(rate * 100))),
    ticks: [most, least].map((percent): Tick => ({ y: y(percent), text: `${percent}%` })),
  };
}
