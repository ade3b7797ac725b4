import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Failure } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { FileUpload, type FileRef } from "../../../platform/console/files/upload.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { dayInZone } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
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
          sums={{ credit: unused }}
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

const usedOf = (w: Weighed) => w.contract.totals.atSigning - w.due;

/** What stands in the way first, then where every sum goes. */
export function ChangeMoney({ weighed: w, bills }: { weighed: Weighed; bills?: boolean }) {
  return (
    <div className="stack gap-8">
      {w.obstacles.map((o) => (
        <Notice key={o.msg} tone="red">
          {o.msg}
        </Notice>
      ))}
      {w.contract.warnings.map((text) => (
        <Notice key={text}>{text}</Notice>
      ))}
      {w.arrears > 0 && <Notice>原合同欠费 {yuan(w.arrears)} 元，留在原合同继续收取</Notice>}
      <MoneyStrip
        items={[
          { title: "原押金在管", fen: w.held },
          { title: "转入押金", fen: w.carried },
          { title: "新押金", fen: w.deposit },
          { title: "未用租金", fen: w.credit },
          { title: "签约应收", fen: w.due, key: true },
          { title: "应退", fen: w.refund, key: true },
        ]}
      />
      <BothBills cut={w.bills} added={w.contract.added} unused={w.credit} used={usedOf(w)} />
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

const CALLS = { submit: changes.submit, sign: startActSigning, confirm: changes.confirm };

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
  const refresh = useRefresh();
  const client = useQueryClient();
  const [key] = useState(freshKey);
  const [changed, setChanged] = useState(false);
  const [files, setFiles] = useState<FileRef[]>([]);
  const [signedOn, setSignedOn] = useState<string | undefined>(() => dayInZone(new Date()));
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const query = ask(changes.preview, { params: { id: of.id }, body: {} });
  const { data: weighed, error, refetch } = useQuery(query);
  const run = async () => {
    if (!weighed) return;
    const missing = {
      ...(files.length ? {} : { fileIds: "请上传扫描件" }),
      ...(signedOn ? {} : { signedOn: "请选择签署日期" }),
    };
    setWrong(step === "confirm" ? missing : {});
    if (step === "confirm" && Object.keys(missing).length) return;
    const seen = { version: of.version, previewHash: weighed.previewHash };
    const body = step === "confirm" ? { ...seen, fileIds: files.map((f) => f.id), signedOn } : seen;
    const call = CALLS[step === "look" ? "submit" : step];
    try {
      const options = call.money ? { idempotencyKey: key } : {};
      const sent = await sendWire<Links>(call, { params: { id: of.id }, body }, options);
      if (step === "sign") onSent(sent);
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "previewChanged") {
        setChanged(true);
        client.setQueryData(query.queryKey, failure.data as Weighed);
      }
      if (failure instanceof Failure && failure.fields.length)
        setWrong(Object.fromEntries(failure.fields.map((f) => [f.field, f.msg])));
      throw failure;
    }
    toast(step === "confirm" ? `${word}${done}` : done);
    onClose();
    await refresh();
  };
  const [obstacle] = weighed?.obstacles ?? [];
  return (
    <Drawer
      title={`${step === "look" ? `${word}试算` : step === "sign" ? title : `${title}${word}`} ${of.actNo}`}
      width={960}
      modal
      onClose={onClose}
      footer={
        step !== "look" && (
          <Foot
            cancel={onClose}
            note={
              weighed && (
                <span className="sub">
                  签约应收 {yuan(weighed.due)}，应退 {yuan(weighed.refund)}
                </span>
              )
            }
          >
            <Button look="main" why={weighed ? obstacle?.msg : "账单试算中"} run={run}>
              {step === "confirm" ? `确认${word}` : title}
            </Button>
          </Foot>
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !weighed ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="record stack gap-8">
          {changed && (
            <div className="form__alert" role="alert">
              账单试算已变化，请核对后重新确认
            </div>
          )}
          {step === "confirm" && (
            <section>
              <h3>签署件</h3>
              <div className={`fi ${wrong["fileIds"] ? "fi--bad" : ""}`}>
                <label className="fi__label fi__label--must">扫描件</label>
                <FileUpload
                  value={files}
                  onChange={(next) => setFiles(next ?? [])}
                  call={uploadFile}
                  purpose="paper30M"
                  accept=".pdf,.jpg,.jpeg,.png"
                  maxFiles={20}
                  hint="新合同和补充协议的签署件，pdf、jpg、png，最多 20 个"
                />
                {wrong["fileIds"] && <p className="fi__msg">{wrong["fileIds"]}</p>}
              </div>
              <div className={`fi sign__on ${wrong["signedOn"] ? "fi--bad" : ""}`}>
                <label className="fi__label fi__label--must" htmlFor="change-signed-on">
                  签署日期
                </label>
                <DayInput id="change-signed-on" value={signedOn} onChange={setSignedOn} />
                {wrong["signedOn"] && <p className="fi__msg">{wrong["signedOn"]}</p>}
              </div>
            </section>
          )}
          {step === "sign" && (
            <p className="sub">
              {of.kind === "tenant"
                ? `原租客、新租客依次签署，出租方最后盖章。${ACT_SIGNING_NOTE}`
                : SIGNED_TOGETHER}
            </p>
          )}
          <ChangeMoney weighed={weighed} bills />
        </div>
      )}
    </Drawer>
  );
}
