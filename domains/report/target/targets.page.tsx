import { useState } from "react";
import { Checkbox, Select } from "antd";
import { Link } from "react-router";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { useAddress, useUnsaved, pathTo, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { DistrictsSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { ofThem, toneOf } from "../indicator/indicator.rules.ts";
import { CODES, INDICATORS, shownValue, type Code } from "../indicator/figure.rules.ts";
import { useRuling } from "../indicator/ruled.panel.tsx";
import type { Edits } from "./grid.panel.tsx";
import { targetChanges, completion } from "./target.contract.ts";
import { Values } from "./values.panel.tsx";
import "./target.css";
import { useQuery } from "@tanstack/react-query";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { lastOf } from "../../../platform/kernel/day.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { monthsOf } from "./target.rules.ts";

/** What was reached of each target; a cell opens the dashboard of its store and month. */
function Heat({ code, year, villageIds }: { code: Code; year: number; villageIds: string }) {
  const go = useGo();
  const rule = useRuling().ruleOf(code);
  const { data, error, refetch } = useQuery(
    ask(completion, { query: { code, year, ...(villageIds && { villageIds }) } }),
  );
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={8} />;
  if (!data.length) return <Empty text="还没有门店" />;
  return (
    <div className="tg__scroll">
      <table className="tg tg--heat">
        <caption className="sr">{INDICATORS[code].title}完成情况</caption>
        <thead>
          <tr>
            <th scope="col">门店</th>
            {monthsOf(year).map((month) => (
              <th key={month} scope="col" className="num">
                {Number(month.slice(5))} 月
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.map((row) => (
            <tr key={row.villageId}>
              <th scope="row">{row.name}</th>
              {row.cells.map((cell) => (
                <td
                  key={cell.month}
                  className={
                    cell.share === null || (cell.running && INDICATORS[code].adds)
                      ? ""
                      : `tg--${toneOf(cell.share, rule)}`
                  }
                >
                  <button
                    type="button"
                    title={`实际 ${shownValue(code, cell.actual) || "—"}，${cell.given ? "默认目标" : "目标"} ${shownValue(code, cell.target) || "未设置"}`}
                    aria-label={`${row.name} ${cell.month} 看板`}
                    onClick={() =>
                      go(
                        pathTo("/workbench/overview2", {
                          villageIds: String(row.villageId),
                          from: `${cell.month}-01`,
                          asOf: cell.running ? undefined : lastOf(cell.month),
                        }),
                      )
                    }
                  >
                    <b>{cell.share === null ? "—" : `${(cell.share * 100).toFixed(2)}%`}</b>
                    <small>
                      {shownValue(code, cell.actual) || "—"}
                      {cell.running && cell.actual !== null && " · 未结束"}
                    </small>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const TABS = [
  { key: "values", title: "目标值" },
  { key: "done", title: "完成情况" },
  { key: "history", title: "修改记录" },
] as const;
const NOTHING: Edits = new Map();

/** 目标配置: what the dashboard measures against, by store and month. */
export default function TargetsPage() {
  const [address, set] = useAddress();
  const today = useToday();
  const year = Number(address.get("year")) || Number(today.slice(0, 4));
  const ruling = useRuling();
  const codes = ruling.known ? ofThem(ruling.shown, CODES) : CODES;
  const code = codes.find((key) => key === address.get("code")) ?? codes[0] ?? "occupancyRate";
  const villageIds = address.get("villageIds") ?? "";
  const villages = villageIds ? villageIds.split(",").map(Number) : [];
  const gaps = address.get("gaps") === "1";
  const rules = may("138.query")
    ? reach("/system/ConfigManagement", { tab: "indicators", part: "rules" })
    : undefined;
  const tab = TABS.find((t) => t.key === address.get("tab"))?.key ?? "values";
  const [edits, setEdits] = useState<Edits>(NOTHING);
  useUnsaved(edits.size > 0);
  const change = async (patch: Record<string, string | undefined>) => {
    if (edits.size && !(await confirmLeave())) return;
    setEdits(NOTHING);
    set(patch);
  };
  return (
    <div className="tgs grid gap-6">
      <Underline
        label="目标配置"
        items={TABS}
        on={tab}
        onChange={(key) => void change({ tab: key === "values" ? undefined : key })}
      />
      <div className="tgs__head row wrap">
        <Select
          aria-label="指标"
          value={code}
          style={{ width: 148 }}
          options={codes.map((key) => ({ value: key, label: INDICATORS[key].title }))}
          onChange={(key) => void change({ code: key })}
        />
        {tab !== "history" && (
          <Select
            aria-label="年份"
            value={year}
            style={{ width: 108 }}
            options={Array.from({ length: 7 }, (_, i) => Number(today.slice(0, 4)) - 4 + i).map((y) => ({
              value: y,
              label: `${y} 年`,
            }))}
            onChange={(y) => void change({ year: String(y) })}
          />
        )}
        <DistrictsSelect
          value={villages}
          onChange={(ids) => void change({ villageIds: ids.join(",") || undefined })}
        />
        <VillagesSelect
          value={villages}
          prefix="门店"
          onChange={(ids) => void change({ villageIds: ids.join(",") || undefined })}
        />
        {tab === "values" && (
          <Checkbox
            checked={gaps}
            onChange={(event) => void change({ gaps: event.target.checked ? "1" : undefined })}
          >
            只看有空缺的门店
          </Checkbox>
        )}
        <small className="dim">{INDICATORS[code].formula}</small>
        <span className="grow" />
        {rules && <Link to={rules}>指标与规则</Link>}
      </div>
      {tab === "values" && (
        <Values code={code} year={year} villageIds={villageIds} gaps={gaps} edits={edits} onEdit={setEdits} />
      )}
      {tab === "done" && <Heat code={code} year={year} villageIds={villageIds} />}
      {tab === "history" && (
        <ListPage
          call={targetChanges}
          fixed={{ code, ...(villageIds && { villageIds }) }}
          columns={[
            "at",
            "byName",
            "indicator",
            "villageName",
            "month",
            "before",
            "after",
            { key: "note", width: 240 },
          ]}
          emptyText="还没有修改过目标"
        />
      )}
    </div>
  );
}
