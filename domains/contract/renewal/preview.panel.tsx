import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, sendWire } from "../../../platform/console/calls/request.ts";
import { MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
import { BillTable } from "../preview/bill-table.panel.tsx";
import { renewals } from "../successor/successor.contract.ts";
import { type ContractKind, permitOf } from "../terms/kind.rules.ts";
import type { RenewalRow } from "./renewal.contract.ts";

export type Previewed = Reply<typeof renewals.preview>;

/** 原押金 3,500.00 → 新押金 3,675.00，补交 175.00 */
export function depositText({ held, deposit, carried, back }: Previewed): string {
  const more = deposit - carried;
  const rest = [more > 0 && `补交 ${yuan(more)}`, back > 0 && `退还 ${yuan(back)}`].filter(Boolean);
  return `原押金 ${yuan(held)} → 新押金 ${yuan(deposit)}，${rest.length ? rest.join("，") : "无需补退"}`;
}

/** What the server will refuse it for; what needs a reason of its own is handed in by the contract's form. */
export function blockedBy(
  { obstacles }: Pick<Previewed, "obstacles">,
  kind: ContractKind,
): string | undefined {
  const no = obstacles.find((o) => o.code !== "belowLowest" || !may(permitOf(kind, "belowLowest")));
  if (!no) return undefined;
  return ["blackListed", "overCredit"].includes(no.code) ? `${no.msg}；请在合同表单中填写原因后提交` : no.msg;
}

/** What a renewal comes to: the deposit, what the old lease still owes, and every new bill. */
export function RenewalPreview({ preview: p }: { preview: Previewed }) {
  return (
    <div className="stack gap-8">
      {p.obstacles.map((o) => (
        <p key={o.msg} className="tinted fs-13 s-red" role="alert">
          {o.msg}
        </p>
      ))}
      {p.contract.warnings.map((text) => (
        <p key={text} className="tinted fs-13 s-orange">
          {text}
        </p>
      ))}
      {p.arrears > 0 && (
        <p className="tinted fs-13 s-orange">原合同欠费 {yuan(p.arrears)} 元，续租后仍留在原合同</p>
      )}
      <MoneyStrip
        items={[
          { title: "签约应付", fen: p.due, key: true },
          { title: "新押金", fen: p.deposit },
          { title: "租金合计", fen: p.contract.totals.rent },
          { title: "折后月租", fen: p.contract.totals.netMonthlyRent },
        ]}
      />
      <p>{depositText(p)}</p>
      <h3>新合同账单</h3>
      <BillTable preview={p.contract} />
    </div>
  );
}

/** A renewal as its steps need it. */
export type Stepped = Pick<RenewalRow, "actNo" | "kind"> & { actId: number; actVersion: number };
const STEPS = {
  look: { title: "试算续租", ok: "", done: "" },
  submit: { title: "提交续租", ok: "提交", done: "续租已提交，新租期的房间已占用" },
  confirm: { title: "确认续租", ok: "确认续租", done: "续租已确认，新合同生效" },
} as const;
export type Step = keyof typeof STEPS;

/** Looks at the renewal once more and takes the step with the hash of what is shown; a confirmation brings the signed paper. */
export function StepDrawer({
  of,
  step,
  today,
  onClose,
}: {
  of: Stepped;
  step: Step;
  today: string;
  onClose: () => void;
}) {
  const { title, ok, done } = STEPS[step];
  const refresh = useRefresh();
  const client = useQueryClient();
  const [key] = useState(freshKey);
  const [changed, setChanged] = useState(false);
  const [files, setFiles] = useState<FileRef[]>([]);
  const [signedOn, setSignedOn] = useState<string | undefined>(today);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const params = { id: of.actId };
  const query = ask(renewals.preview, { params, body: {} });
  const { data: preview, error, refetch } = useQuery(query);
  const run = async () => {
    if (!preview) return;
    const missing =
      step === "confirm"
        ? {
            ...(files.length ? {} : { fileIds: "请上传扫描件" }),
            ...(signedOn ? {} : { signedOn: "请选择签署日期" }),
          }
        : {};
    setWrong(missing);
    if (Object.keys(missing).length) return;
    const seen = { version: of.actVersion, previewHash: preview.previewHash };
    const body = step === "confirm" ? { ...seen, signedOn, fileIds: files.map((f) => f.id) } : seen;
    const call = step === "confirm" ? renewals.confirm : renewals.submit;
    try {
      await sendWire(call, { params, body }, { idempotencyKey: key });
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "previewChanged") {
        setChanged(true);
        client.setQueryData(query.queryKey, failure.data as Previewed);
      }
      if (failure instanceof Failure && failure.fields.length)
        setWrong(Object.fromEntries(failure.fields.map((f) => [f.field, f.msg])));
      throw failure;
    }
    toast(done);
    onClose();
    await refresh();
  };
  return (
    <Drawer
      title={`${title} ${of.actNo}`}
      width={960}
      modal
      onClose={onClose}
      footer={
        step !== "look" && (
          <Foot cancel={onClose} note={<span className="sub">{preview && depositText(preview)}</span>}>
            <Button look="main" why={preview ? blockedBy(preview, of.kind) : "账单试算中"} run={run}>
              {ok}
            </Button>
          </Foot>
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !preview ? (
        <RowsSkeleton rows={8} />
      ) : (
        <div className="record">
          {changed && (
            <div className="form__alert" role="alert">
              账单试算已变化，请核对后重新确认
            </div>
          )}
          {step === "confirm" && (
            <>
              <div className={`fi ${wrong["fileIds"] ? "fi--bad" : ""}`}>
                <label className="fi__label fi__label--must">扫描件</label>
                <FileUpload
                  value={files}
                  onChange={(next) => setFiles(next ?? [])}
                  call={uploadFile}
                  purpose="paper30M"
                  accept=".pdf,.jpg,.jpeg,.png"
                  maxFiles={20}
                  hint="双方签字的续租合同，pdf、jpg、png，每个不超过 30M，最多 20 个"
                />
                {wrong["fileIds"] && <p className="fi__msg">{wrong["fileIds"]}</p>}
              </div>
              <div className={`fi ${wrong["signedOn"] ? "fi--bad" : ""}`}>
                <label className="fi__label fi__label--must" htmlFor="renewal-signed-on">
                  签署日期
                </label>
                <DayInput id="renewal-signed-on" value={signedOn} onChange={setSignedOn} />
                {wrong["signedOn"] && <p className="fi__msg">{wrong["signedOn"]}</p>}
              </div>
            </>
          )}
          <RenewalPreview preview={preview} />
        </div>
      )}
    </Drawer>
  );
}
