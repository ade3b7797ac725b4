import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { linked } from "../../../platform/console/parts/linked.tsx";
import { ask, download, send } from "../../../platform/console/calls/request.ts";
import { Explain } from "../../../platform/console/detail/explain.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { openFile } from "../../../platform/console/files/upload.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag, WordTag } from "../../../platform/console/parts/tag.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { BILLS, BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { whyNotFurther } from "../contract/contract.rules.ts";
import { type ContractDetail, contractBills, contractDocuments } from "../contract/detail.contract.ts";
import { Signings } from "../esign/signings.panel.tsx";
import { addFurtherFiles, checkDocument, documentFile, MOST_FURTHER } from "../paper/paper.contract.ts";
import { permitOf } from "../terms/kind.rules.ts";

type Bill = Reply<typeof contractBills>[number];

/** Every bill of a contract; a click opens its lines and how each amount came about. */
export function ContractBills({ id, opened }: { id: number; opened?: number | undefined }) {
  const { data, error, refetch } = useQuery(ask(contractBills, { params: { id } }));
  const [open, setOpen] = useState<number | undefined>(opened);
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  if (!data.length) return <Empty text="签署后生成账单" />;
  const live = data.filter((b) => b.status !== "void");
  const sum = (pick: (bill: Bill) => number) => live.reduce((s, b) => s + pick(b), 0);
  return (
    <div className="box">
      <table className="tbl">
        <thead>
          <tr>
            <th aria-label="展开" />
            <th>账单号</th>
            <th>账单</th>
            <th>计费期</th>
            <th>应收日</th>
            <th className="num">应收</th>
            <th className="num">已收</th>
            <th className="num">未收</th>
            <th>状态</th>
          </tr>
        </thead>
        <tbody>
          {data.map((bill) => [
            <tr key={bill.id} className={bill.status === "void" ? "dim" : ""}>
              <td>
                <IconButton
                  icon={open === bill.id ? "down" : "right"}
                  size={12}
                  small
                  label={open === bill.id ? `收起 ${bill.title}` : `展开 ${bill.title}`}
                  run={() => setOpen(open === bill.id ? undefined : bill.id)}
                />
              </td>
              <td>{linked(reach(BILLS, { id: bill.id }), bill.billNo)}</td>
              <td>{bill.title}</td>
              <td>{bill.periodStart ? `${bill.periodStart} ~ ${bill.periodEnd}` : "—"}</td>
              <td className={bill.overdueDays > 0 ? "neg" : ""}>{bill.dueDate}</td>
              <td className="num">
                <Money fen={bill.amount} />
              </td>
              <td className="num">
                <Money fen={bill.settled} />
              </td>
              <td className="num">
                <Money fen={bill.outstanding} strong />
              </td>
              <td>
                <WordTag words={BILL_STATUS} code={bill.status} />
                {!bill.issued && bill.status !== "void" && <StatusTag tone="cyan">未出账</StatusTag>}
                {bill.overdueDays > 0 && (
                  <StatusTag tone="red" dot={false}>
                    逾期 {bill.overdueDays} 天
                  </StatusTag>
                )}
              </td>
            </tr>,
            open === bill.id && (
              <tr key={`${bill.id} lines`} className="more">
                <td />
                <td colSpan={8}>
                  <Explain title="费用明细" rows={lineRows(bill)} />
                </td>
              </tr>
            ),
          ])}
        </tbody>
        <tfoot>
          <tr className="sum">
            <td colSpan={5}>合计 {live.length} 张</td>
            <td className="num">
              <Money fen={sum((b) => b.amount)} />
            </td>
            <td className="num">
              <Money fen={sum((b) => b.settled)} />
            </td>
            <td className="num">
              <Money fen={sum((b) => b.outstanding)} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** Line by line; of a bill over several rooms each line names its own. */
function lineRows({ lines }: Bill): (readonly [string, string])[] {
  const several = new Set(lines.flatMap((l) => l.roomName ?? [])).size > 1;
  return lines.map(({ subject, roomName, periodStart, periodEnd, amount, how, reason }) => [
    subject,
    [several && roomName, periodStart && `${periodStart} ~ ${periodEnd}`, yuan(amount), how, reason]
      .filter(Boolean)
      .join("　"),
  ]);
}

/** The papers of a contract: the print, and the scans with the hash they had when they came in. */
export function ContractPapers({ contract: c }: { contract: ContractDetail }) {
  const check = async (documentId: number) => {
    const { same, said, signature } = await send(checkDocument, { params: { id: c.id, documentId } });
    toast(`${said}（${signature}）`, same ? "success" : "error");
  };
  const [adding, setAdding] = useState(false);
  const fetched = (documentId: number) => download(documentFile, { params: { id: c.id, documentId } });
  return (
    <>
      <div className="acts">
        <Button icon="file" run={() => openFile(`/contract/api/v3/contract/${c.id}/paper`)}>
          {c.signedOn ? "打印合同正文" : "打印待签稿"}
        </Button>
        {may(permitOf(c.kind, "edit")) && (
          <Button icon="upload" why={whyNotFurther(c.state)} run={() => setAdding(true)}>
            补传文件
          </Button>
        )}
      </div>
      <Loaded
        call={contractDocuments}
        sent={{ params: { id: c.id } }}
        lines={3}
        empty="签署后在这里保存签署件"
      >
        {(data) => (
          <RowTable
            schema={contractDocuments.reply}
            rows={data}
            columns={[
              "name",
              "kind",
              { key: "size", show: (d) => `${(d.size / 1024).toFixed(0)} K` },
              {
                key: "fileHash",
                show: (d) => (
                  <span className="dim" title={d.fileHash}>
                    {d.fileHash.slice(0, 16)}…
                  </span>
                ),
              },
              {
                own: "kept",
                title: "上传",
                show: (d) => `${timeInZone(d.createdAt).slice(0, 16)} ${d.createdBy}`,
              },
              {
                own: "acts",
                title: "操作",
                show: (d) => (
                  <span className="row">
                    <button type="button" className="linkish" onClick={() => void fetched(d.id)}>
                      下载
                    </button>
                    <button type="button" className="linkish" onClick={() => void check(d.id)}>
                      验签
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Signings contractId={c.id} />
      {adding && <FurtherForm contract={c} onClose={() => setAdding(false)} />}
    </>
  );
}

const FurtherForm = ({
  contract: { id, contractNo },
  onClose,
}: {
  contract: ContractDetail;
  onClose: () => void;
}) => (
  <FormDialog
    call={addFurtherFiles}
    title={`补传文件 ${contractNo}`}
    ok="补传"
    done="已补传"
    params={{ id }}
    initial={{ fileIds: [] }}
    onClose={onClose}
    fields={[
      {
        key: "fileIds",
        input: (p) => (
          <PapersInput
            {...p}
            call={UPLOADS.paper30M}
            maxFiles={MOST_FURTHER}
            hint={`pdf、jpg、png，每个不超过 30M，一份合同最多补传 ${MOST_FURTHER} 个；补传后不能删除`}
          />
        ),
      },
    ]}
  />
);
