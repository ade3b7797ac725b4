import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { firstOf, lastOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { ActionButtons, RowActions } from "../../../platform/console/parts/actions.tsx";
import { DayRange } from "../../../platform/console/inputs/days.tsx";
import { exportList } from "../../../platform/console/list/exporting.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ask, download } from "../../../platform/console/calls/request.ts";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { companyCalls } from "../company/company.contract.ts";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import { PaperInput } from "../record/papers.panel.tsx";
import { SendForm } from "./send.form.tsx";
import {
  confirmStatement,
  exportStatement,
  getStatement,
  listCopies,
  statementPaper,
  sendStatementMail,
} from "./statement.contract.ts";
import "../record/record.css";

const COLUMNS = [
  "villageName",
  "roomName",
  "subject",
  "opening",
  "billed",
  "collected",
  "credited",
  "closing",
] as const;

/** 对账单 of a period and some stores: what stood at its beginning, what moved, what stands at its end. */
export function StatementTab({ company }: { company: { id: number; name: string } }) {
  const month = monthOf(useToday());
  const [period, setPeriod] = useState<{ from: Day; to: Day }>({ from: firstOf(month), to: lastOf(month) });
  const [villages, setVillages] = useState<number[]>([]);
  const [confirming, setConfirming] = useState(false);
  const [sending, setSending] = useState(false);
  const params = { id: company.id };
  const query = { ...period, ...(villages.length && { villageIds: villages.join(",") }) };
  const { data, error, refetch } = useQuery(
    ask(getStatement, { params, query: { ...query, pageSize: 200 } }),
  );
  const sums = data?.sums;
  return (
    <>
      <div className="party__tools">
        <DayRange
          label="对账期间"
          value={period}
          onChange={({ from, to }) => from && to && setPeriod({ from, to })}
        />
        <VillagesSelect value={villages} onChange={setVillages} prefix="门店" />
        <span className="grow" />
        <ActionButtons
          actions={[
            { label: "PDF", icon: "download", run: () => download(statementPaper, { params, query }) },
            {
              label: "导出",
              icon: "download",
              does: exportStatement,
              run: () => exportList(exportStatement, { params, query }, COLUMNS),
            },
            {
              label: "邮件发送",
              does: sendStatementMail,
              why: sums ? undefined : "正在读取对账单",
              run: () => setSending(true),
            },
            {
              label: "登记盖章件",
              icon: "upload",
              does: confirmStatement,
              why: sums ? undefined : "正在读取对账单",
              run: () => setConfirming(true),
            },
          ]}
        />
      </div>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data || !sums ? (
        <RowsSkeleton rows={5} />
      ) : (
        <>
          <MoneyStrip
            items={[
              { title: "期初欠款", fen: sums.opening },
              { title: "本期应收", fen: sums.billed },
              { title: "本期收款", fen: sums.collected },
              { title: "本期减免", fen: sums.credited, help: "减免、调整、缩短租期和核销" },
              {
                title: "期末欠款",
                fen: sums.closing,
                key: true,
                help: "期初欠款 + 本期应收 − 本期收款 − 本期减免；预先支付的款项在账单应收日计入",
              },
            ]}
          />
          <RowTable
            schema={getStatement.reply.shape.list}
            rows={data.list}
            columns={[
              "villageName",
              { key: "roomName", show: (r) => r.roomName || "—" },
              "subject",
              "opening",
              "billed",
              "collected",
              "credited",
              { key: "closing", strong: true },
            ]}
            sums={sums}
            emptyText="这段时间没有账单，也没有欠款"
          />
          {(data.total ?? 0) > data.list.length && (
            <p className="sub">
              列出前 {data.list.length} 行，共 {data.total} 行，全部内容请导出
            </p>
          )}
        </>
      )}
      <Copies companyId={company.id} />
      {sending && sums && (
        <SendForm
          company={company}
          period={{ ...period, villageIds: villages }}
          closing={sums.closing}
          onClose={() => setSending(false)}
        />
      )}
      {confirming && sums && (
        <FormDialog
          call={confirmStatement}
          title="登记对账单盖章件"
          ok="登记"
          done="盖章件已登记"
          params={params}
          initial={{ ...period, villageIds: villages, closing: sums.closing }}
          onClose={() => setConfirming(false)}
          fields={[
            {
              show: () => (
                <p>
                  {company.name} {period.from} 至 {period.to}，期末欠款 {yuan(sums.closing)} 元
                </p>
              ),
            },
            { key: "fileId", input: (p) => <PaperInput {...p} purpose="paper10M" /> },
          ]}
        />
      )}
    </>
  );
}

/** What the company has confirmed so far. */
function Copies({ companyId }: { companyId: number }) {
  const { data } = useQuery(ask(listCopies, { params: { id: companyId } }));
  if (!data?.length) return null;
  return (
    <>
      <h3>已确认的对账单</h3>
      <RowTable
        schema={listCopies.reply}
        rows={data}
        columns={[
          "fromDay",
          "toDay",
          "closing",
          "createdName",
          "createdAt",
          {
            own: "acts",
            title: "操作",
            show: (c) => (
              <RowActions
                actions={[
                  {
                    label: "打开",
                    run: () => openFile(`${companyCalls.base}/${companyId}/statement/copy/${c.id}/file`),
                  },
                ]}
              />
            ),
          },
        ]}
      />
    </>
  );
}
