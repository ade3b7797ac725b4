import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { SentLink } from "../../../platform/console/parts/sent-link.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { SendMany } from "../contract/send-many.form.tsx";
import { useDeclare } from "./confirm.form.tsx";
import { StatementState } from "./months.panel.tsx";
import { UNDECLARED_MOST, sendSalesLink, undeclaredSales } from "./link.contract.ts";
import { turnoverMonths } from "./statement.contract.ts";

type Row = Reply<typeof undeclaredSales>[number];

/** The first month of each shop: its link lists them all. */
const firstOfShops = (rows: readonly Row[]): Row[] =>
  [...new Map(rows.toReversed().map((row) => [row.contractId, row])).values()].toReversed();

/** 催报: months of shops that are not declared; the link goes to one shop, or to all, or the month is declared for a shop. */
export function Undeclared({ onClose }: { onClose: () => void }) {
  const act = useAct();
  const [sent, setSent] = useState<Reply<typeof sendSalesLink>>();
  const [all, setAll] = useState<readonly Row[]>();
  const { declare, form } = useDeclare();
  const { data, error, refetch } = useQuery(ask(undeclaredSales, { query: {} }));
  const bodyOf = ({ contractId, monthNo }: Pick<Row, "contractId" | "monthNo">) => ({ contractId, monthNo });
  const sendTo = async (row: Row) =>
    setSent(await act(sendSalesLink, { body: bodyOf(row) }, { done: "申报链接已发送" }));
  if (all)
    return (
      <SendMany
        title="发送申报链接"
        note="每间铺位发送一条短信，链接中列出其全部未申报的月份，商户在手机上逐月申报；原链接立即失效。"
        unit="间铺位"
        of={all.map((row, i) => ({ ...row, id: i }))}
        sendOne={(i) => send(sendSalesLink, { body: bodyOf(all[i]!) })}
        onClose={onClose}
      />
    );
  return (
    <>
      <Drawer
        title="催报营业额"
        width={960}
        modal
        onClose={onClose}
        footer={
          <Foot cancel={onClose}>
            <Button
              look="main"
              why={data?.length ? undefined : "没有待申报的铺位"}
              run={() => setAll(firstOfShops(data ?? []))}
            >
              全部发送申报链接
            </Button>
          </Foot>
        }
      >
        {error ? (
          <Broken error={error} retry={refetch} />
        ) : !data ? (
          <RowsSkeleton rows={6} />
        ) : (
          <div className="stack gap-6">
            <p className="sub">
              已结束的月份还没有申报，或只有系统暂估、退回更正的铺位；发送的链接列出该铺位全部未申报的月份
              {data.length === UNDECLARED_MOST && `，先列出前 ${UNDECLARED_MOST} 个月份`}
            </p>
            <RowTable
              schema={undeclaredSales.reply}
              rows={data}
              columns={[
                "villageName",
                "roomNames",
                "partyName",
                "contractNo",
                "month",
                "declareOn",
                // what waits here is a guess: a declaration would not be asked for again
                {
                  key: "state",
                  show: ({ state }) => (
                    <StatementState
                      of={{ state, source: state === "submitted" ? "estimated" : null, frozen: null }}
                    />
                  ),
                },
                "sentAt",
                {
                  own: "send",
                  title: "操作",
                  show: (row) => (
                    <>
                      {may(turnoverMonths.needs) && (
                        <Button
                          look="text"
                          label={`申报 ${row.roomNames} ${row.month} 营业额`}
                          run={() => declare(row.contractId, (m) => m.no === row.monthNo)}
                        >
                          申报
                        </Button>
                      )}
                      <Button
                        look="text"
                        label={`发送 ${row.roomNames} ${row.month} 申报链接`}
                        run={() => sendTo(row)}
                      >
                        发送
                      </Button>
                    </>
                  ),
                },
              ]}
              emptyText="各铺位已结束月份的营业额都已申报"
            />
          </div>
        )}
      </Drawer>
      {form}
      {sent && <SentLink title="营业额申报链接" sent={sent} onClose={() => setSent(undefined)} />}
    </>
  );
}
