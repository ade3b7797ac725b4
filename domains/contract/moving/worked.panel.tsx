import { type ReactNode, useState } from "react";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import { ConfirmDrawer } from "../../../platform/console/form/confirm-drawer.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
import { SignedPaper, useSignedPaper } from "../act/signed-paper.form.tsx";
import { BillTable } from "../preview/bill-table.panel.tsx";
import { startActSigning } from "../esign/esign.contract.ts";
import { ACT_SIGNING_NOTE, type Links } from "../esign/signings.panel.tsx";
import { CHANGES, changes } from "../successor/successor.contract.ts";
import { type ChangeRow, addedBill, cutBill, type getChange } from "./moving.contract.ts";
import "../contract/contract.css";

export type Weighed = Reply<typeof changes.preview>;
type Detail = Reply<typeof getChange>;

/** What should be known before anybody goes on; red stands in the way. */
export const Notice = ({
  tone = "orange",
  children,
}: {
  tone?: "red" | "orange" | "blue";
  children: ReactNode;
}) => (
  <p className={`party__bar tinted row wrap fs-13 s-${tone}`} role={tone === "red" ? "alert" : undefined}>
    {children}
  </p>
);

/** Bills of both contracts beside each other, with what goes from the left to the right. */
export function BothBills({
  cut,
  added,
  unused,
  used,
}: {
  cut: Detail["cut"];
  added: Detail["added"];
  unused: number;
  used: number;
}) {
  return (
    <div className="stack gap-8">
      <section>
        <h3>原合同账单：截至前一日</h3>
        <RowTable
          schema={cutBill}
          rows={cut}
          columns={[
            { key: "billNo", to: (b) => reach("/accountManage/BillListManage", { id: b.id }) },
            "title",
            "before",
            "after",
            "credit",
          ]}
          sums={{ credit: cut.reduce((sum, bill) => sum + bill.credit, 0) }}
          emptyText="原合同没有需要调整的账单"
        />
      </section>
      {unused > 0 && (
        <Notice tone="blue">
          未用租金和费用 {yuan(unused)} 元
          {used > 0 ? `，其中 ${yuan(used)} 元抵扣新合同首期账单` : "，不抵扣新合同账单"}
        </Notice>
      )}
      <section>
        <h3>新合同账单</h3>
        <RowTable
          schema={addedBill}
          rows={added}
          columns={[
            "title",
            { key: "periodStart", title: "计费期", show: (b) => `${b.periodStart} ~ ${b.periodEnd}` },
            { key: "dueOn", show: (b) => b.dueOn ?? "签约当日" },
            "amount",
          ]}
          sums={{ amount: added.reduce((sum, bill) => sum + bill.amount, 0) }}
        />
      </section>
    </div>
  );
}

/** What stands in the way first, then where every sum goes; of two who swap their rooms one below the other. */
export function ChangeMoney({ weighed: w, bills }: { weighed: Weighed; bills?: boolean }) {
  const { other } = w;
  return (
    <div className="stack gap-8">
      {w.obstacles.map((o) => (
        <Notice key={o.msg} tone="red">
          {o.msg}
        </Notice>
      ))}
      {other && <h3>本单</h3>}
      <Side weighed={w} {...(bills && { bills })} />
      {other && (
        <>
          <h3>
            对方：合同 {other.contractNo} 换至 {other.roomNames}
          </h3>
          <Side weighed={other} {...(bills && { bills })} />
        </>
      )}
    </div>
  );
}

function Side({ weighed: w, bills }: { weighed: Omit<Weighed, "other">; bills?: boolean }) {
  return (
    <div className="stack gap-8">
      {w.contract.warnings.map((text) => (
        <Notice key={text}>{text}</Notice>
      ))}
      {w.arrears > 0 && <Notice>原合同欠费 {yuan(w.arrears)} 元，留在原合同继续收取</Notice>}
      <MoneyStrip
        items={[
          { title: "原押金在管", fen: w.held },
          { title: "转入押金", fen: w.carried },
          { title: "新押金", fen: w.deposit },
          ...(w.spent ? [{ title: "押金抵扣账单", fen: w.spent }] : []),
          { title: "未用租金", fen: w.credit },
          { title: "签约应收", fen: w.due, key: true },
          { title: "应退", fen: w.refund, key: true },
        ]}
      />
      <BothBills cut={w.bills} added={w.contract.added} unused={w.credit} used={w.used} />
      {bills && (
        <>
          <h3>新合同账单的计算</h3>
          <BillTable preview={w.contract} />
        </>
      )}
    </div>
  );
}

export type Step = "look" | "submit" | "sign" | "confirm";
type Of = Pick<ChangeRow, "id" | "actNo" | "kind" | "version">;

const STEPS = {
  look: { title: "试算", done: "" },
  submit: { title: "提交", done: "已提交，待签署" },
  sign: { title: "发起电子签署", done: "已发起电子签署" },
  confirm: { title: "确认", done: "已办理" },
} as const;

const SIGNED_TOGETHER = "补充协议和新合同作为一份文件，由租客签署一次。";
const SIGNED_BY_BOTH =
  "双方的补充协议和新合同作为一份文件，本单租客、对方租客依次签署，最后一方签署后两份合同一并生效。";

const CALLS = { submit: changes.submit, sign: startActSigning, confirm: changes.confirm };

const sumsOf = (w: Pick<Weighed, "due" | "refund">) => `签约应收 ${yuan(w.due)}，应退 ${yuan(w.refund)}`;

/** Looks at a change once more and takes the step with the hash of what is shown. */
export function StepDrawer({
  of,
  step,
  onSent,
  onClose,
}: {
  of: Of;
  step: Step;
  onSent: (sent: Links) => void;
  onClose: () => void;
}) {
  const { title, done } = STEPS[step];
  const word = CHANGES[of.kind][0];
  const paper = useSignedPaper(useToday());
  const [otherFiles, setOtherFiles] = useState<FileRef[]>([]);
  const signs = step === "confirm";
  return (
    <ConfirmDrawer<Weighed>
      title={`${step === "look" ? `${word}试算` : step === "sign" ? title : `${title}${word}`} ${of.actNo}`}
      ok={step === "look" ? undefined : signs ? `确认${word}` : title}
      why={(w) => w.obstacles[0]?.msg}
      note={(w) => `${sumsOf(w)}${w.other ? `；对方${sumsOf(w.other)}` : ""}`}
      of={ask(changes.preview, { params: { id: of.id }, body: {} })}
      missing={signs ? paper.missing : undefined}
      take={async ({ previewHash }, idempotencyKey) => {
        const body = {
          version: of.version,
          previewHash,
          ...(signs && { ...paper.sent(), otherFileIds: otherFiles.map((f) => f.id) }),
        };
        const call = CALLS[step === "look" ? "submit" : step];
        const options = call.money ? { idempotencyKey } : {};
        const sent = await sendWire<Links>(call, { params: { id: of.id }, body }, options);
        if (step === "sign") onSent(sent);
        return signs ? `${word}${done}` : done;
      }}
      onClose={onClose}
    >
      {(weighed, { wrong }) => (
        <>
          {signs && <SignedPaper {...paper.fields} wrong={wrong} of="新合同和补充协议的签署件" />}
          {step === "sign" && (
            <p className="sub">
              {of.kind === "tenant"
                ? `原租客、新租客依次签署，出租方最后盖章。${ACT_SIGNING_NOTE}`
                : weighed.other
                  ? SIGNED_BY_BOTH
                  : SIGNED_TOGETHER}
            </p>
          )}
          {signs && weighed.other && (
            <div className={`fi ${wrong["otherFileIds"] ? "fi--bad" : ""}`}>
              <label className="fi__label fi__label--must">对方合同扫描件</label>
              <FileUpload
                value={otherFiles}
                onChange={(next) => setOtherFiles(next ?? [])}
                call={uploadFile}
                purpose="paper30M"
                accept=".pdf,.jpg,.jpeg,.png"
                maxFiles={20}
                hint={`合同 ${weighed.other.contractNo} 的新合同和补充协议`}
              />
              {wrong["otherFileIds"] && <p className="fi__msg">{wrong["otherFileIds"]}</p>}
            </div>
          )}
          <ChangeMoney weighed={weighed} bills />
        </>
      )}
    </ConfirmDrawer>
  );
}
