import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { send } from "../../../platform/console/calls/request.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Timeline } from "../../../platform/console/detail/timeline.tsx";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { pathTo } from "../../../platform/console/screens/page.ts";
import {
  type BudgetRow,
  deleteBudget,
  getBudget,
  renewBudget,
  submitBudget,
  withdrawBudget,
} from "./budget.contract.ts";
import { CompareDialog, RenewForm } from "./budget.form.tsx";
import { BUDGET_MOVES, BUDGET_STATE } from "./budget.rules.ts";

export const GRID = "/accountManage/BudgetManage/VillageBudgetTable";
export const gridPath = (versionId: number, indicatorId?: number): string =>
  pathTo(GRID, { versionId, indicatorId });

type Versions = readonly { id: number; no: number; name: string }[];
export type BudgetActs = { of: (row: BudgetRow, versions?: Versions) => Actions; layer: ReactNode };

/** What can be done with a store's year: the acts of its draft, or a version anew. */
export function useBudgetActs(): BudgetActs {
  const act = useAct();
  const [open, setOpen] = useState<{ what: "renew" | "compare"; of: BudgetRow; versions: Versions }>();
  const close = () => setOpen(undefined);
  const of = (row: BudgetRow, versions?: Versions): Actions => {
    const { openId, openState, openVersion, openNo } = row;
    const draft = openId !== null && openState !== null && openVersion !== null;
    const why = (move: "submit" | "withdraw" | "delete") =>
      draft ? BUDGET_MOVES.refusal(move, { status: openState, openId }) : "没有草稿版本";
    return [
      draft &&
        openState === "draft" && {
          label: "提交审批",
          does: submitBudget,
          why: why("submit"),
          run: async () => {
            const done = await act(
              submitBudget,
              { params: { id: openId }, body: { version: openVersion } },
              {
                ask: {
                  title: `提交 ${row.villageName} ${row.year} 年第 ${openNo} 版`,
                  body: "提交后不能再修改。",
                  ok: "提交",
                },
              },
            );
            if (done) toast(done.waiting ? `已提交审批 ${done.waiting}` : "预算已生效");
          },
        },
      draft &&
        openState === "approving" && {
          label: "撤回",
          does: withdrawBudget,
          why: why("withdraw"),
          run: () =>
            act(
              withdrawBudget,
              { params: { id: openId }, body: { version: openVersion } },
              {
                done: "已撤回为草稿",
                ask: { title: "撤回预算", body: "审批结束，预算回到草稿，可以继续修改。" },
              },
            ),
        },
      row.inForceNo !== null && {
        label: "新版本",
        does: renewBudget,
        why: BUDGET_MOVES.refusal("renew", { status: "inForce", openId }),
        run: () => setOpen({ what: "renew", of: row, versions: [] }),
      },
      row.versions > 1 && {
        label: "版本对比",
        need: "136.query",
        run: async () =>
          setOpen({
            what: "compare",
            of: row,
            versions: versions ?? (await send(getBudget, { params: { id: row.id } })).list,
          }),
      },
      draft &&
        openState === "draft" &&
        deleteAction(
          deleteBudget,
          { id: openId, version: openVersion },
          {
            title: "删除草稿",
            body: `删除 ${row.villageName} ${row.year} 年第 ${openNo} 版草稿，其中填写的预算一并删除。`,
            why: why("delete"),
          },
        ),
    ];
  };
  const layer =
    open?.what === "renew" ? (
      <RenewForm of={open.of} onClose={close} />
    ) : open ? (
      <CompareDialog
        title={`${open.of.villageName} ${open.of.year} 年`}
        versions={open.versions}
        onClose={close}
      />
    ) : null;
  return { of, layer };
}

const versions = getBudget.reply!.shape.list;

/** A store's year with all its versions. */
export const BudgetDrawer = ({ id, acts }: { id: number; acts: BudgetActs }) => (
  <Detail
    call={getBudget}
    sent={{ params: { id } }}
    title={(b) => `${b.villageName} ${b.year} 年预算`}
    tags={(b) => (
      <>
        <WordTag words={BUDGET_STATE} code={b.state} />
        {b.openState && b.state === "inForce" && (
          <StatusTag tone="gold">{`第 ${b.openNo} 版${BUDGET_STATE[b.openState][0]}`}</StatusTag>
        )}
      </>
    )}
    strip={(b) => [
      { title: "收入预算", fen: b.income ?? 0 },
      { title: "成本预算", fen: b.cost ?? 0 },
      { title: "利润预算", fen: b.profit ?? 0 },
      { title: "年累计实际收入", fen: b.actual ?? 0 },
    ]}
    facts={["reached", "inForceNo", "versions"]}
    actions={(b) => acts.of(b, b.list)}
    tabs={[
      {
        key: "versions",
        title: "版本",
        count: (b) => b.list.length,
        view: (b) => (
          <RowTable
            schema={versions}
            rows={b.list}
            columns={[
              { key: "no", show: (v) => <Link to={gridPath(v.id)}>{`第 ${v.no} 版`}</Link> },
              "name",
              "state",
              "reason",
              "updatedName",
              "updatedAt",
            ]}
          />
        ),
      },
      {
        key: "log",
        title: "日志",
        view: (b) => (
          <Timeline
            moments={b.log.map(({ id: key, at, who, no, action, summary }) => ({
              key,
              at,
              who,
              what: `第 ${no} 版 ${action}`,
              note: summary,
            }))}
          />
        ),
      },
    ]}
    slot="budget.tabs"
  />
);
