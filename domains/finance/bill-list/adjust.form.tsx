import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import { FormAlert } from "../../../platform/console/form/form-alert.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { useTrial } from "../../../platform/console/form/trial-drawer.tsx";
import { DicSuggest } from "../../../platform/console/inputs/dic.tsx";
import { ChoiceInput, DecimalInput, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useUnsaved } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { uploadFile } from "../../system/file/file.contract.ts";
import { getBill } from "./bill.contract.ts";
import {
  CHANGE_MODE,
  type ChangeMode,
  REDUCE_MODE,
  adjustBill,
  previewAdjust,
} from "../bill-acts/acts.contract.ts";

type Typed = { mode: ChangeMode; value?: number | undefined; percent?: string | undefined };
type Change = Sent<typeof previewAdjust>["body"]["changes"][number];
type Bill = Reply<typeof getBill>;
type Target = {
  key: string;
  lineId: number | null;
  subject: string;
  amount: number;
  settled: number;
  need: "#2601" | "#2604";
};

const ready = (typed: Typed) =>
  typed.mode === "percent" ? Boolean(typed.percent) : typed.value !== undefined && typed.value > 0;

/** Lines that can be changed, and the late fee that has grown. */
function targetsOf(bill: Bill, lateFee: boolean): Target[] {
  const lines = bill.lines
    .filter((l) => (l.kind === "normal" || l.kind === "lateFee") && l.amount > 0)
    .map((l): Target => ({
      key: String(l.id),
      lineId: l.id,
      subject: l.subject,
      amount: l.amount + l.adjusted,
      settled: l.settled,
      need: l.kind === "lateFee" ? "#2604" : "#2601",
    }));
  const grown: Target = {
    key: "fee",
    lineId: null,
    subject: "预计滞纳金",
    amount: bill.lateFee,
    settled: 0,
    need: "#2604",
  };
  return (bill.lateFee > 0 ? [...lines, grown] : lines).filter(
    (t) => may(t.need) && (t.need === "#2604") === lateFee,
  );
}

type Props = {
  /** Of its late fee alone, which has an authority and a process of its own. */
  lateFee: boolean;
  onClose: () => void;
};
const titleOf = ({ lateFee }: Pick<Props, "lateFee">) => (lateFee ? "滞纳金减免" : "减免调整");

/** 减免调整: per line more or less, before and after shown, confirmed by what was shown. */
export function AdjustForm({ id, ...rest }: Props & { id: number }) {
  const bill = useQuery(ask(getBill, { params: { id } }));
  return bill.data ? (
    <Form bill={bill.data} {...rest} />
  ) : (
    <Drawer title={titleOf(rest)} width={920} modal onClose={rest.onClose}>
      {bill.error ? <Broken error={bill.error} retry={bill.refetch} /> : <RowsSkeleton rows={5} />}
    </Drawer>
  );
}

function Form({ bill, lateFee, onClose }: Props & { bill: Bill }) {
  const refresh = useRefresh();
  const targets = targetsOf(bill, lateFee);
  const [typed, setTyped] = useState<Record<string, Typed>>({});
  const [reason, setReason] = useState<string>();
  const [files, setFiles] = useState<FileRef[]>([]);
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [key] = useState(freshKey);
  const dirty = Object.values(typed).some(ready) || Boolean(reason);
  useUnsaved(dirty);

  const changes = targets.flatMap((t): Change[] => {
    const one = typed[t.key];
    if (!one || !ready(one)) return [];
    return [
      one.mode === "percent"
        ? { lineId: t.lineId, mode: "percent", percent: one.percent! }
        : { lineId: t.lineId, mode: one.mode, value: one.value! },
    ];
  });
  const { shown, error } = useTrial({
    queryKey: [previewAdjust.path, bill.id, bill.version],
    typed: changes,
    ready: changes.length > 0,
    busy,
    ask: (typed, signal) =>
      send(previewAdjust, { params: { id: bill.id }, body: { changes: typed } }, { signal }),
  });
  const rowOf = (t: Target) => shown?.rows.find((r) => r.lineId === t.lineId);
  const wrong = error instanceof Failure ? (error.fields[0]?.msg ?? error.message) : undefined;

  const save = async () => {
    if (!changes.length) return setAlert("请填写要调整的费用");
    if (!reason || reason.trim().length < 2) return setAlert("请填写原因（2-200字）");
    if (!shown) return setAlert(wrong ?? "正在试算，请稍候");
    setBusy(true);
    setAlert(undefined);
    try {
      const body = { changes, reason, fileIds: files.map((f) => f.id), previewHash: shown.hash };
      const { examineId } = await send(
        adjustBill,
        { params: { id: bill.id }, body },
        { idempotencyKey: key },
      );
      toast(examineId ? "已提交审批" : "已调整");
      onClose();
      await refresh();
    } catch (error) {
      setAlert(sentence(error));
      if (error instanceof Failure && error.code === "previewChanged") await refresh();
    } finally {
      setBusy(false);
    }
  };
  const close = async () => {
    if (!busy && (!dirty || (await confirmLeave()))) onClose();
  };
  return (
    <Drawer
      title={`${titleOf({ lateFee })} ${bill.billNo}`}
      width={920}
      modal
      onClose={() => void close()}
      footer={
        <Foot
          form={{ alert: alert ?? wrong }}
          cancel={close}
          note={
            shown && (
              <span className="sub">
                未收 {yuan(shown.outstandingBefore)} → <b>{yuan(shown.outstandingAfter)}</b>
              </span>
            )
          }
        >
          <Button look="main" busy={busy} run={save}>
            确认调整
          </Button>
        </Foot>
      }
    >
      <div className="form">
        <FormAlert text={alert ?? wrong} />
        <div className="lines fi--wide">
          <table>
            <Heads
              of={["费用", ["调整前", "num"], "调整方式", "调整值", ["调整后", "num"], ["税额", "num"]]}
            />
            <tbody>
              {!targets.length && (
                <tr>
                  <td colSpan={6} className="dim">
                    {lateFee ? "该账单没有滞纳金" : "没有可以调整的费用"}
                  </td>
                </tr>
              )}
              {targets.map((t) => {
                const one = typed[t.key] ?? { mode: "minus" as const };
                const row = rowOf(t);
                const put = (next: Partial<Typed>) => setTyped({ ...typed, [t.key]: { ...one, ...next } });
                return (
                  <tr key={t.key}>
                    <td style={{ minWidth: 88 }}>
                      {t.subject}
                      {t.settled > 0 && <small className="dim"> 已收 {yuan(t.settled)}</small>}
                    </td>
                    <td className="num" style={{ minWidth: 88 }}>
                      {yuan(t.amount)}
                    </td>
                    <td>
                      <ChoiceInput
                        value={one.mode}
                        words={lateFee ? REDUCE_MODE : CHANGE_MODE}
                        onChange={(mode) => put({ mode: mode as ChangeMode })}
                      />
                    </td>
                    <td>
                      {one.mode === "percent" ? (
                        <DecimalInput
                          value={one.percent}
                          placeholder="0.01-100 %"
                          onChange={(percent) => put({ percent })}
                        />
                      ) : (
                        <MoneyInput value={one.value} onChange={(value) => put({ value })} />
                      )}
                    </td>
                    <td className="num">
                      {row ? <Money fen={row.after} strong /> : <span className="dim">—</span>}
                    </td>
                    <td className="num dim">
                      {row ? `${yuan(row.taxBefore)} → ${yuan(row.taxAfter)}` : "—"}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
        <label className="fi fi--wide">
          <span className="fi__label fi__label--must">原因</span>
          <div className="fi__in">
            <DicSuggest
              kind="customer"
              group="adjustReason"
              max={200}
              placeholder="请填写原因（2-200字）"
              value={reason}
              onChange={setReason}
            />
          </div>
        </label>
        <div className="fi fi--wide">
          <span className="fi__label">附件</span>
          <div className="fi__in">
            <FileUpload
              value={files}
              onChange={(next = []) => setFiles(next)}
              call={uploadFile}
              maxBytes={10_485_760}
            />
          </div>
        </div>
      </div>
    </Drawer>
  );
}
