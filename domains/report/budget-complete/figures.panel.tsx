import type { Column } from "../../../platform/console/list/columns.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { isMoney, shownFigure } from "../budget-indicator/value.rules.ts";
import { Reached } from "../budget/reached.panel.tsx";
import type { CompleteRow } from "./budget-complete.contract.ts";

type Row = Omit<CompleteRow, "villageId"> & { villageId: number | null };

/** The columns that tell how far an indicator is; an actual opens what is behind it. */
export const figureColumns = <R extends Row>(open: (row: R) => void): Column<R>[] => {
  const figure = (key: "budget" | "difference" | "yearBudget" | "yearActual" | "before") =>
    ({
      key,
      show: (row: R) =>
        isMoney(row.unit) && row[key] !== null ? (
          <Money fen={Math.round(row[key] * 100)} />
        ) : (
          <span data-whole>{shownFigure(row.unit, row[key])}</span>
        ),
    }) as never as Column<R>;
  return [
    figure("budget"),
    {
      key: "actual",
      show: (row: R) => (
        <>
          {row.estimated && row.actual !== null && (
            <StatusTag tone="gold" dot={false}>
              预估
            </StatusTag>
          )}{" "}
          {row.villageId === null || row.actual === null ? (
            <span data-whole>{shownFigure(row.unit, row.actual)}</span>
          ) : (
            <button type="button" className="linkish" data-whole onClick={() => open(row)}>
              {shownFigure(row.unit, row.actual)}
            </button>
          )}
        </>
      ),
    } as never as Column<R>,
    {
      key: "reached",
      show: (row: R) => <Reached share={row.reached} better={row.better} />,
    } as never as Column<R>,
    figure("difference"),
    figure("yearBudget"),
    figure("yearActual"),
    {
      key: "yearReached",
      show: (row: R) => <Reached share={row.yearReached} better={row.better} />,
    } as never as Column<R>,
    figure("before"),
    "growth" as never as Column<R>,
  ];
};
