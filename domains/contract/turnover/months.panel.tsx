import { Link } from "react-router";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { RowActions, type Actions } from "../../../platform/console/parts/actions.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { Waits, examineAt } from "../../../platform/console/parts/waits.tsx";
import {
  confirmSales,
  correctSales,
  monthRow,
  removeSales,
  submitSales,
  type turnoverMonths,
  declareSales,
  editSales,
} from "./statement.contract.ts";
import { sendSalesLink } from "./link.contract.ts";
import { FROZEN, WORKBENCH } from "../../approval/examine/engine.rules.ts";
import { decideExamine } from "../../approval/examine/examine.contract.ts";
import { STATEMENT_SOURCES, STATEMENT_STATES, linkRefusal } from "./statement.rules.ts";

export type ShopMonth = Reply<typeof turnoverMonths>[number]["months"][number];
type Props = {
  months: readonly ShopMonth[];
  declare: (month: ShopMonth) => void;
  confirm: (month: ShopMonth) => void;
  /** Sends the merchant the link on which it declares the month itself. */
  sendLink: (month: ShopMonth) => void;
};

/** Months of a shop, the newest first: declared, audited, rent by each rule, and what is to be done. */
export function MonthTable({ months, declare, confirm, sendLink }: Props) {
  const act = useAct();
  // an approval and the list of all statements lead to one of them
  const [address] = useAddress();
  const statement = Number(address.get("statement"));
  const actsOf = (m: ShopMonth): Actions => {
    const link = { label: "催报", does: sendSalesLink, run: () => sendLink(m) };
    if (m.id === null || m.version === null) {
      const why = m.why ?? undefined;
      return [
        { label: "申报", does: declareSales, why, run: () => declare(m) },
        { ...link, why },
      ];
    }
    const params = { id: m.id };
    const { version } = m;
    const waits = m.state === "submitted";
    const open = m.state === "draft" || waits;
    const why = m.frozen ? FROZEN : undefined;
    return [
      waits && { label: "确认", need: confirmSales.needs, why, run: () => confirm(m) },
      m.state === "draft" && {
        label: "提交",
        does: submitSales,
        run: () => act(submitSales, { params, body: { version } }, { done: "已提交确认" }),
      },
      open && { label: "编辑", does: editSales, why, run: () => declare(m) },
      m.state !== "draft" && {
        label: "退回更正",
        need: correctSales.needs,
        why,
        run: () =>
          act(
            correctSales,
            { params, body: { version } },
            { done: "已退回更正", reason: { title: `退回更正 ${m.month} 营业额` } },
          ),
      },
      m.state === "draft" &&
        deleteAction(
          removeSales,
          { ...params, version },
          {
            title: "删除草稿",
            body: `确定删除 ${m.month} 的营业额草稿吗？`,
          },
        ),
      !linkRefusal(m) && { ...link, why },
    ];
  };
  return (
    <RowTable
      schema={monthRow}
      rows={months}
      columns={[
        "month",
        "declared",
        "audited",
        "base",
        "share",
        { key: "rent", strong: true },
        "topUp",
        { own: "state", title: "状态", show: (m) => <StatementState of={m} /> },
        { own: "bills", title: "账单", show: (m) => <Bills month={m} /> },
        { own: "acts", title: "操作", show: (m) => <RowActions actions={actsOf(m)} /> },
      ]}
      opened={(m) => m.id !== null && m.id === statement}
      expand={(m) => (
        <>
          {m.frozen && (
            <Waits page={WORKBENCH} decide={decideExamine} frozen={m.frozen} then="营业额可以再次修改" />
          )}
          <p className="dim">
            {m.from} ~ {m.to}
            {m.gross !== null &&
              `，营业额 ${yuan(m.gross)}，退货 ${yuan(m.refunds ?? 0)}，不计 ${yuan(m.excluded ?? 0)}`}
            {m.note && `，${m.note}`}
            {m.reason && `，更正原因：${m.reason}`}
          </p>
          {m.files.length > 0 && <Papers files={m.files} />}
        </>
      )}
      emptyText="租期还没有开始"
    />
  );
}

/** How a statement stands, and whether it waits for an approval, which opens. */
export const StatementState = ({
  of: { state, source, frozen },
}: {
  of: Pick<ShopMonth, "state" | "source" | "frozen">;
}) => {
  if (!state) return <span className="dim">未申报</span>;
  const to = examineAt(WORKBENCH, frozen);
  const waits = frozen && <StatusTag tone="blue">审批中</StatusTag>;
  return (
    <span className="row">
      {to ? <Link to={to}>{waits}</Link> : waits}
      <WordTag words={STATEMENT_STATES} code={state} />
      {source === "estimated" && (
        <StatusTag tone="orange" dot={false}>
          {STATEMENT_SOURCES[source][0]}
        </StatusTag>
      )}
    </span>
  );
};

const Bills = ({ month: { baseBill, bill } }: { month: ShopMonth }) => {
  const all = [baseBill, bill].filter((b) => b !== null);
  if (!all.length) return NONE;
  return all.map((b) => {
    const to = reach("/accountManage/BillListManage", { id: b.id });
    const text = `${b.billNo} ${yuan(b.amount)}`;
    return <div key={b.id}>{to ? <Link to={to}>{text}</Link> : text}</div>;
  });
};
