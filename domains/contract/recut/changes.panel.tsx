import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { z } from "zod";
import { ask } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { ActCalls } from "../act/act.contract.ts";
import { changePreview } from "./recut.contract.ts";

export type Preview = z.output<typeof changePreview>;
const { bills } = changePreview.shape;

/** 应退 290.32 */
export const resultText = (net: number): string =>
  net > 0 ? `应退 ${yuan(net)}` : net < 0 ? `应收 ${yuan(-net)}` : "两清";

/** Bills before and after, bill by bill. */
export const ChangedBills = ({ rows }: { rows: Preview["bills"] }) => (
  <RowTable
    schema={bills}
    rows={rows}
    columns={[
      {
        key: "title",
        to: (b) => (b.billId ? reach("/accountManage/BillListManage", { id: b.billId }) : undefined),
      },
      { key: "periodStart", title: "计费期", show: (b) => `${b.periodStart} ~ ${b.periodEnd}` },
      { key: "dueOn", show: (b) => b.dueOn ?? "签署当日" },
      "before",
      "after",
      "done",
    ]}
    sums={{
      before: rows.reduce((sum, b) => sum + b.before, 0),
      after: rows.reduce((sum, b) => sum + b.after, 0),
    }}
    emptyText="账单没有变化"
  />
);

/** What stands in the way, then what should be known before anybody goes on. */
export const Notices = ({
  obstacles,
  warnings,
}: {
  obstacles: readonly { msg: string }[];
  warnings: readonly string[];
}) => (
  <>
    {obstacles.map((o) => (
      <p key={o.msg} className="notice s-red" role="alert">
        {o.msg}
      </p>
    ))}
    {warnings.map((text) => (
      <p key={text} className="notice s-orange">
        {text}
      </p>
    ))}
  </>
);

/** What a change comes to: the money that moves, and the bills before and after. */
export function ChangeMoney({ preview: p }: { preview: Preview }) {
  return (
    <div className="stack gap-8">
      <Notices obstacles={p.obstacles} warnings={p.warnings} />
      <MoneyStrip
        items={[
          { title: "原合同总额", fen: p.before, help: "全部租金和费用账单，不含押金" },
          { title: "变更后总额", fen: p.after, key: true },
          { title: "多收退回", fen: p.credit, help: "已付账单多收的部分，抵付其后的账单" },
          { title: "签署后应收", fen: p.dueNow },
          ...(p.deposit
            ? [
                { title: "退房押金", fen: p.deposit, help: "先抵付已到期的欠费，余下退还" },
                { title: "应退押金", fen: p.refund },
              ]
            : []),
        ]}
      />
      <ChangedBills rows={p.bills} />
    </div>
  );
}

type LiveProps = {
  calls: Pick<ActCalls, "trial" | "preview">;
  draft: z.ZodType;
  contractId: number;
  /** Of an act that is being edited. */
  id: number | undefined;
  typed: object;
};

/** What it comes to as it is being typed; while something is missing the last figures stay. */
export function LiveChange({ calls, draft, contractId, id, typed }: LiveProps) {
  const parsed = draft.safeParse(useDeferredValue(typed));
  const body = parsed.success ? (parsed.data as object) : undefined;
  const of = id
    ? ask(calls.preview, { params: { id }, body: { draft: body as never } })
    : ask(calls.trial, { body: { ...body, contractId } as never });
  const { data, error } = useQuery({
    ...of,
    enabled: body !== undefined,
    retry: false,
    placeholderData: (before: unknown) => before as never,
  });
  if (error && body) return <p className="notice s-red">{error.message}</p>;
  if (!data) return <p className="dim">填写后显示变更前后的账单</p>;
  return <ChangeMoney preview={data as Reply<typeof calls.preview> as Preview} />;
}
