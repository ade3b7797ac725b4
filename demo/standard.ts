import type { DemoOptions } from "./company.ts";

/** Two years of an ordinary company: half of the tenants pay monthly, a third by the quarter. */
export const STANDARD: Omit<DemoOptions, "today"> = {
  rooms: 2000,
  seed: 1,
  years: 2,
  grouping: "period",
  cycles: [
    [1, 50],
    [3, 36],
    [6, 7],
    [12, 5],
    [0, 2],
  ],
};
