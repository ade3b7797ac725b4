/** A rate as people read it: "0.0005" → "0.05%". */
export const percentOf = (rate: string): string => `${Math.round(Number(rate) * 1e8) / 1e6}%`;
