import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { declared } from "../../../platform/console/filter/filter.ts";
import { Filters } from "../../../platform/console/filter/filters.tsx";
import { PeriodGrid } from "../../../platform/console/list/period-grid.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ACCOUNT_KIND } from "../account/account.contract.ts";
import { importStatement } from "../statement/statement.contract.ts";
import { ImportDialog, STATEMENTS } from "./import.panel.tsx";
import { calendar, type Calendar } from "./reconcile.contract.ts";
import { DAY_STATE } from "./reconcile.rules.ts";

const FILTERS = ["kind", "holder", "enterpriseId"] as const;
type Account = Calendar["accounts"][number];
type Day = Account["days"][number];
type Open = (query: { merchantAccountId: number; dayFrom: string; dayTo: string }) => void;

const CELL: CSSProperties = {
  width: "var(--size-28)",
  height: "var(--size-28)",
  padding: 0,
  borderRadius: "var(--r-xs)",
  // with a figure in it or without
  verticalAlign: "middle",
};
const LOOK: Record<Day["state"], CSSProperties> = {
  none: { background: "var(--bg-track)", color: "var(--text-3)" },
  different: { background: "var(--orange-bg)", color: "var(--orange-fg)" },
  balanced: { background: "var(--green-bg)", color: "var(--green-fg)" },
};
const said = (account: Account, { day, state, open, ours, theirs }: Day) =>
  [
    `${account.name} ${day} ${DAY_STATE[state][0]}`,
    open ? `${open} 笔待处理` : "",
    state === "none" ? "" : `系统 ${yuan(ours)}，渠道 ${yuan(theirs)}，差额 ${yuan(ours - theirs)}`,
  ]
    .filter(Boolean)
    .join("，");

/** What is still to do in the month: days with a difference, and days that are over and have no statement. */
function standing({ accounts, openDays, diff }: Calendar, today: string): string {
  const missing = accounts
    .filter((account) => !account.claimed)
    .flatMap(({ days }) => days.filter(({ day, state }) => state === "none" && day < today)).length;
  return (
    [openDays && `${openDays} 个账户日有差异，差额 ${yuan(diff)}`, missing && `${missing} 个账户日未导入`]
      .filter(Boolean)
      .join("；") || "没有差异"
  );
}

/** A month of every account: which days are balanced, which are not, and of which there is no statement yet. */
export function MonthOfAccounts({ open }: { open: Open }) {
  const [address, set] = useAddress();
  const [importing, setImporting] = useState<number | "any">();
  const today = useToday();
  const month = address.get("month") ?? monthOf(today);
  const asked = Object.fromEntries(FILTERS.map((key) => [key, address.get(key) ?? undefined]));
  const { data, error, refetch } = useQuery({
    ...ask(calendar, { query: { ...asked, month } as never }),
    placeholderData: (before) => before,
  });
  return (
    <div className="stack gap-6 full scroll">
      <Filters filters={declared(calendar, FILTERS)} params={address} set={set} />
      <PeriodGrid
        period={month}
        before="上个月"
        after="下个月"
        step={(by) => set({ month: addToMonth(month, by) })}
        note={data && standing(data, today)}
        action={
          may(importStatement.needs) && (
            <Button look="main" run={() => setImporting("any")}>
              导入对账单
            </Button>
          )
        }
        error={error}
        retry={refetch}
        rows={data?.accounts}
        empty="没有可对账的收款账户；公司本部的账户由管理全部门店的人员对账"
        head="账户"
        keyOf={({ id }) => id}
        name={(account) => (
          <div className="stack gap-1">
            <span className="cut" title={account.name}>
              {account.name}
            </span>
            <small className="dim">
              {ACCOUNT_KIND[account.kind][0]} · {account.holderName}
              {account.claimed && " · 认领入账"}
            </small>
          </div>
        )}
        cells={({ days }) => days}
        at={({ day }) => day}
        word={(day) => String(Number(day.slice(8)))}
        slim
        cell={(account, day) =>
          day.day > today ? null : (
            <button
              type="button"
              className="btn"
              style={{ ...CELL, ...LOOK[day.state] }}
              aria-label={said(account, day)}
              title={said(account, day)}
              onClick={() =>
                day.state === "none" && !account.claimed && may(importStatement.needs)
                  ? setImporting(account.id)
                  : open({ merchantAccountId: account.id, dayFrom: day.day, dayTo: day.day })
              }
            >
              {day.open || (day.state === "balanced" ? "✓" : "")}
            </button>
          )
        }
      />
      <div className="row wrap">
        {Object.entries(DAY_STATE).map(([key, [title, tone]]) => (
          <StatusTag key={key} tone={tone}>
            {title}
          </StatusTag>
        ))}
      </div>
      {importing !== undefined && (
        <ImportDialog
          of={STATEMENTS}
          accountId={importing === "any" ? undefined : importing}
          onClose={() => setImporting(undefined)}
        />
      )}
    </div>
  );
}
