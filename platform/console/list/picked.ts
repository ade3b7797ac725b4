import { useMemo, useState } from "react";
import { idOf } from "./sheet.tsx";

/** Of what was picked the rows that still stand there as they stood: what was changed or has gone is picked no longer. */
export function stillThere<R extends object>(picked: readonly R[], rows: readonly R[]): R[] {
  const now = new Map(rows.map((row) => [idOf(row), row]));
  return picked.filter((row) => {
    const same = now.get(idOf(row));
    return same === row || (same !== undefined && JSON.stringify(same) === JSON.stringify(row));
  });
}

/** The first of several rows that stands in the way of an act on all of them, by its name, with why. */
export function firstWhy<R>(
  rows: readonly R[],
  nameOf: (row: R) => string,
  whyNot: (row: R) => string | undefined,
): string | undefined {
  for (const row of rows) {
    const why = whyNot(row);
    if (why) return `${nameOf(row)} ${why}`;
  }
  return undefined;
}

/** The rows that somebody ticked. They stay while a form is open for them, and are still there when it is given up. */
export function usePicked<R extends object>(rows: readonly R[]) {
  const [picked, pick] = useState<readonly R[]>([]);
  const left = useMemo(() => stillThere(picked, rows), [picked, rows]);
  const ids = useMemo(() => left.map(idOf), [left]);
  return {
    rows: left,
    ids,
    pick,
    unpick: () => pick([]),
    /** Does something with them; an answer says that it is done with them. */
    start: async (run: (rows: readonly R[]) => unknown) => {
      if ((await run(left)) !== undefined) pick([]);
    },
  };
}
