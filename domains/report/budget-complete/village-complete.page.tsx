import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Chart } from "../../../platform/console/charts/chart.tsx";
import { declared } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { TabPage, TabRight } from "../../../platform/console/list/tab-page.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import { RowActions } from "../../../platform/console/parts/actions.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { elementOf, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { firstOf, lastOf } from "../../../platform/kernel/day.ts";
import { toneOf } from "../budget-indicator/value.rules.ts";
import { Locks } from "../lock/lock.panel.tsx";
import { GRID, gridPath } from "../budget/budget.panel.tsx";
import { Reached, percentOf } from "../budget/reached.panel.tsx";
import { useYear } from "../budget/year.panel.tsx";
import { ActualDialog, type Asked } from "./actual.panel.tsx";
import {
  type VillageComplete,
  exportVillageComplete,
  villageComplete,
  villageCompleteRows,
  writeNote,
} from "./budget-complete.contract.ts";
import { monthIn, monthsOfPeriod } from "./complete.rules.ts";
import { figureColumns } from "./figures.panel.tsx";
import "../target/target.css";

const FILTERS = ["year", "period", "villageIds"] as const;
type Noting = Asked & { name: string; text: string; version: number };
const TABS = [
  { key: "list", title: "门店" },
  { key: "matrix", title: "完成率矩阵" },
] as const;

/** 门店预算完成情况: each store against its whole budget, with what its people say about it. */
export default function VillageCompletePage() {
  const [address, set] = useAddress();
  const go = useGo();
  const now = `m${Number(useToday().slice(5, 7))}`;
  const year = useYear({ period: now });
  const period = address.get("period") ?? now;
  const months = monthsOfPeriod(period);
  const tab = TABS.find((t) => t.key === address.get("tab"))?.key ?? "list";
  const query = {
    year,
    period,
    ...(address.get("villageIds") && { villageIds: address.get("villageIds")! }),
  };
  const phone = usePhone();
  const [looking, setLooking] = useState<VillageComplete>();
  return (
    <TabPage label="门店完成情况" items={TABS} on={tab} onChange={(key) => set({ tab: key })}>
      <TabRight>
        <Locks
          beside
          villageIds={address.get("villageIds")}
          from={firstOf(monthIn(year, months[0]!))}
          to={lastOf(monthIn(year, months.at(-1)!))}
        />
      </TabRight>
      {tab === "matrix" ? (
        <div className="stack gap-6 full">
          <Filters filters={declared(villageComplete, FILTERS)} params={address} set={set} />
          <Matrix query={query} />
        </div>
      ) : (
        <ListPage
          call={villageComplete}
          unit="个门店"
          sort={{ sort: "profitReached", order: "desc" }}
          filters={FILTERS}
          columns={[
            { key: "villageName", to: (row) => (row.versionId ? gridPath(row.versionId) : undefined) },
            {
              key: "no",
              show: (row) =>
                row.no === null ? <StatusTag tone="grey">未编制预算</StatusTag> : `第 ${row.no} 版`,
            },
            "income",
            { key: "incomeActual", show: (row) => <Income of={row} /> },
            { key: "incomeReached", show: (row) => <Reached share={row.incomeReached} better="up" /> },
            "profit",
            "profitActual",
            { key: "profitReached", show: (row) => <Reached share={row.profitReached} better="up" /> },
            "behind",
          ]}
          card={{
            title: "villageName",
            right: "profitReached",
            lines: [
              ["income", "incomeActual"],
              ["profit", "profitActual"],
            ],
          }}
          expand={(row) => <Rows villageId={row.id} query={query} />}
          rowActions={(row) => [
            phone && { label: "查看指标", need: "136.query", run: () => setLooking(row) },
            row.versionId !== null && {
              label: "打开门店预算",
              need: "136.query",
              run: () => go(GRID, { versionId: row.versionId }),
            },
          ]}
          picture={(asked) => <Picture query={asked} />}
          exportCall={exportVillageComplete}
          emptyText="还没有门店"
        />
      )}
      {looking && (
        <Dialog title={looking.villageName} width={980} onClose={() => setLooking(undefined)}>
          <Rows villageId={looking.id} query={query} />
        </Dialog>
      )}
    </TabPage>
  );
}

const Income = ({ of }: { of: VillageComplete }) => (
  <>
    {of.estimated && (
      <StatusTag tone="gold" dot={false}>
        预估
      </StatusTag>
    )}{" "}
    <Money fen={of.incomeActual} />
  </>
);

type Query = { year: number; period: string; villageIds?: string };

/** One store's indicators, each with its actual to open and its note to write. */
function Rows({ villageId, query }: { villageId: number; query: Query }) {
  const [open, setOpen] = useState<Asked>();
  const [noting, setNoting] = useState<Noting>();
  const sent = { query: { ...query, villageIds: String(villageId), pageSize: 200, want: "rows" } as never };
  const { data, error, refetch } = useQuery(ask(villageCompleteRows, sent));
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  const months = monthsOfPeriod(query.period).map((m) => monthIn(query.year, m));
  const [first, month] = [months[0]!, months.at(-1)!];
  return (
    <>
      <RowTable
        flat
        schema={elementOf(shapeOf(villageCompleteRows.reply)["list"])!}
        rows={data.list}
        columns={[
          {
            key: "indicatorName",
            show: (row) => <span style={{ paddingLeft: row.level * 16 }}>{row.indicatorName}</span>,
          },
          ...figureColumns<(typeof data.list)[number]>((row) =>
            setOpen({ indicatorId: row.indicatorId, villageId, month: first, to: month }),
          ),
          { key: "note", width: 200 },
          {
            own: "acts",
            title: "操作",
            show: (row) => (
              <RowActions
                actions={[
                  {
                    label: "填写说明",
                    does: writeNote,
                    run: () =>
                      setNoting({
                        indicatorId: row.indicatorId,
                        villageId,
                        month,
                        name: row.indicatorName,
                        text: row.note,
                        version: row.noteVersion,
                      }),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      {open && <ActualDialog of={open} onClose={() => setOpen(undefined)} />}
      {noting && (
        <FormDialog
          call={writeNote}
          title={`${noting.month} ${noting.name} 说明`}
          initial={noting}
          ok="保存"
          done="说明已保存"
          onClose={() => setNoting(undefined)}
          fields={[{ key: "text", wide: true }]}
        />
      )}
    </>
  );
}

/** Stores by indicators: only how much of each budget is reached. */
const Matrix = ({ query }: { query: Query }) => (
  <Loaded
    call={villageComplete}
    sent={{ query: { ...query, pageSize: 200, want: "rows" } as never }}
    lines={10}
  >
    {({ list }) =>
      list.length ? (
        <section className="card fill tg__scroll" tabIndex={0} aria-label="完成率矩阵">
          <table className="tg tg--heat">
            <caption className="sr">各门店各指标完成率</caption>
            <thead>
              <tr>
                <th scope="col">门店</th>
                {list[0]!.cells.map((cell) => (
                  <th key={cell.indicatorId} scope="col" className="num">
                    {cell.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    {row.villageName}
                    {row.versionId === null && <small className="dim"> 未编制预算</small>}
                  </th>
                  {row.cells.map((cell) => (
                    <td
                      key={cell.indicatorId}
                      className={`tg__calc ${cell.reached === null ? "" : `tg--${toneOf(cell.reached, cell.better)}`}`}
                    >
                      {cell.reached === null ? "—" : percentOf(cell.reached)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <Empty text="还没有门店" />
      )
    }
  </Loaded>
);

/** The first store's main indicators beside the mean of all. */
function Picture({ query }: { query: Record<string, unknown> }) {
  return (
    <Loaded
      call={villageComplete}
      sent={{ query: { ...query, pageNo: 1, pageSize: 200, want: "rows" } as never }}
      lines={6}
    >
      {({ list }) => {
        const planned = list.filter((row) => row.versionId !== null);
        const first = planned[0];
        if (!first) return <Empty text="没有生效的预算" />;
        const shown = first.cells.flatMap((cell, i) => {
          if (cell.reached === null || !cell.main) return [];
          const all = planned.flatMap((row) => row.cells[i]?.reached ?? []);
          return [{ ...cell, mean: all.reduce((a, b) => a + b, 0) / all.length }];
        });
        return (
          <>
            <h3>{`${first.villageName} 与全部门店平均`}</h3>
            <Chart
              // a radar of fewer than three is a line
              kind={shown.length < 3 ? "bar" : "radar"}
              title={`${first.villageName}各指标完成率`}
              height={340}
              labels={shown.map((cell) => cell.name)}
              series={[
                { name: first.villageName, values: shown.map((cell) => cell.reached), tone: "blue" },
                { name: "平均", values: shown.map((cell) => Math.round(cell.mean * 10_000) / 10_000) },
              ]}
              format={percentOf}
              most={2}
            />
          </>
        );
      }}
    </Loaded>
  );
}
