import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { type FileRef, FileUpload } from "../../../platform/console/files/upload.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { type InputProps, MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { editInvoice, previewRed, redInvoice, registerInvoice, sendInvoice } from "../invoice/acts.contract.ts";
import { buyerFields } from "./apply.form.tsx";
import { type InvoiceWhole, getInvoice } from "../invoice/invoice.contract.ts";

type Props = { of: InvoiceWhole; onClose: () => void };

/** 修改开票信息: to whom, before it is made. */
export const EditForm = ({ of, onClose }: Props) => (
  <FormDrawer
    call={editInvoice}
    title={`修改开票信息 ${of.applyNo}`}
    done="已保存"
    params={{ id: of.id }}
    initial={of}
    cols={2}
    width={760}
    onClose={onClose}
    fields={buyerFields(of.leaseAddress !== "")}
  />
);

/** 登记发票: what was made outside, with its paper. */
export const RegisterForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={registerInvoice}
    title={`登记发票 ${of.applyNo}`}
    ok="登记"
    done="已登记发票"
    params={{ id: of.id }}
    initial={{ version: of.version }}
    width={560}
    onClose={onClose}
    note={() => `${of.title}，价税合计 ${yuan(of.amount)} 元，税额 ${yuan(of.tax)} 元`}
    fields={["invoiceNo", "issuedOn", { key: "fileId", input: (p) => <PaperInput {...p} /> }]}
  />
);

function PaperInput({ onChange, id, disabled }: InputProps<number>) {
  const [files, setFiles] = useState<FileRef[]>([]);
  return (
    <FileUpload
      {...(id && { id })}
      {...(disabled && { disabled })}
      value={files}
      call={UPLOADS.paper10M}
      accept=".pdf"
      maxFiles={1}
      hint="PDF，不超过 10M"
      onChange={(next) => {
        setFiles(next ?? []);
        onChange(next?.[0]?.id);
      }}
    />
  );
}

/** 重新发送. */
export const SendForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={sendInvoice}
    title={`重新发送 ${of.invoiceNo}`}
    ok="发送"
    done="已发送"
    params={{ id: of.id }}
    initial={{ mobile: of.receiverMobile, email: of.receiverEmail }}
    onClose={onClose}
    fields={["mobile", "email"]}
  />
);

const OVER = "红冲金额不能超过未红冲金额";

type Red = Sent<typeof redInvoice>["body"];

/** 红冲: all of an invoice or parts of it, line by line, with the tax that goes back. */
export function RedForm({ of, onClose }: Props) {
  const refresh = useRefresh();
  const open = of.lines.filter((l) => l.redAmount < l.amount);
  const whole = () => open.map((l) => ({ lineId: l.id, amount: l.amount - l.redAmount }));
  const form = useForm<Red>(redInvoice.body!, {
    version: of.version,
    lines: whole(),
    remark: "",
    previewHash: "",
  });
  const [key, setKey] = useState(freshKey);
  const [sent, setSent] = useState(false);
  const lines = form.values.lines ?? [];
  const asked = lines.filter((l) => Number.isSafeInteger(l.amount) && l.amount > 0);
  const over = asked.some((a) => open.some((l) => l.id === a.lineId && a.amount > l.amount - l.redAmount));
  const now = JSON.stringify(asked);
  const wanted = useDeferredValue(now);
  const preview = useQuery({
    queryKey: [previewRed.path, of.id, of.version, wanted],
    queryFn: ({ signal }) =>
      send(
        previewRed,
        { params: { id: of.id }, body: { lines: JSON.parse(wanted) as Red["lines"] } },
        { signal },
      ),
    // neither what is typed over nor what is sent already is asked for
    enabled: wanted === now && asked.length > 0 && !over && !sent,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = asked.length && !over && !preview.error ? preview.data : undefined;
  const fresh = preview.isPlaceholderData || wanted !== now ? undefined : shown;
  const amountOf = (id: number) => lines.find((l) => l.lineId === id)?.amount;
  const setAmount = (lineId: number, amount: number | undefined) =>
    form.set(
      "lines",
      open.flatMap((l) => {
        const part = l.id === lineId ? amount : amountOf(l.id);
        return part === undefined ? [] : [{ lineId: l.id, amount: part }];
      }),
    );
  const save = async () => {
    const done = await form.submit(async (body) => {
      setSent(true);
      await send(
        redInvoice,
        { params: { id: of.id }, body: { ...body, lines: asked, previewHash: fresh!.hash } },
        { idempotencyKey: key },
      );
      toast(of.kind === "special" ? "已提交红冲，等待购方确认" : "已提交红冲");
      await refresh();
    });
    if (done) return onClose();
    setSent(false);
    setKey(freshKey());
    await refresh();
  };
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  const why = !asked.length
    ? "请填写红冲金额"
    : over
      ? OVER
      : preview.error
        ? sentence(preview.error)
        : !fresh
          ? "正在试算"
          : undefined;
  return (
    <Drawer
      title={`红冲 ${of.invoiceNo}`}
      width={800}
      modal
      onClose={() => void close()}
      footer={
        <Foot
          form={form}
          cancel={close}
          note={
            shown && (
              <span className="sub">
                红冲 <b>{yuan(shown.amount)}</b>，税额 {yuan(shown.tax)}
              </span>
            )
          }
        >
          <Button look="danger" busy={form.busy} why={why} run={save}>
            红冲
          </Button>
        </Foot>
      }
    >
      <form className="record stack gap-8" noValidate onSubmit={(event) => event.preventDefault()}>
        {of.kind === "special" && <p className="sub">专用发票的红字确认单须购方在 72 小时内确认。</p>}
        <RowTable
          schema={getInvoice.reply!.shape.lines}
          rows={open}
          columns={[
            "itemName",
            { key: "subject" },
            "amount",
            "redAmount",
            {
              own: "red",
              title: "本次红冲",
              width: 168,
              show: (l) => (
                <label>
                  <span className="sr">{`${l.subject} ${l.billNo} 本次红冲`}</span>
                  <MoneyInput value={amountOf(l.id)} onChange={(fen) => setAmount(l.id, fen)} />
                </label>
              ),
            },
          ]}
        />
        <p>
          <Button size="sm" run={() => form.set("lines", whole())}>
            全额红冲
          </Button>
        </p>
        {asked.length > 0 && (over || preview.error) && (
          <div className="form__alert" role="alert">
            {over ? OVER : sentence(preview.error)}
          </div>
        )}
        <FormFields form={form} cols={1} fields={["reason", { key: "remark" }]} />
      </form>
    </Drawer>
  );
}
