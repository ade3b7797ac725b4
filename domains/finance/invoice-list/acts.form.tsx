import { send } from "../../../platform/console/calls/request.ts";
import { PaperInput } from "../../../platform/console/files/papers-input.tsx";
import { FormDialog, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { TrialAlert, TrialDrawer, useTrial } from "../../../platform/console/form/trial-drawer.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import {
  editInvoice,
  previewRed,
  redInvoice,
  registerInvoice,
  sendInvoice,
} from "../invoice/acts.contract.ts";
import { type InvoiceWhole, getInvoice } from "../invoice/invoice.contract.ts";
import { buyerFields } from "./apply.form.tsx";
import { useParts } from "./parts.panel.tsx";

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
    fields={[
      "invoiceNo",
      "issuedOn",
      {
        key: "fileId",
        input: (p) => <PaperInput {...p} call={UPLOADS.paper10M} accept=".pdf" hint="PDF，不超过 10M" />,
      },
    ]}
  />
);

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
  const open = of.lines
    .filter((l) => l.redAmount < l.amount)
    .map((l) => ({ ...l, most: l.amount - l.redAmount }));
  const form = useForm<Red>(redInvoice.body!, {
    version: of.version,
    lines: open.map((l) => ({ lineId: l.id, amount: l.most })),
    remark: "",
    previewHash: "",
  });
  const { asked, over, input, whole } = useParts(form, open);
  const { shown, fresh, failed, why } = useTrial({
    queryKey: [previewRed.path, of.id, of.version],
    typed: asked,
    ready: asked.length > 0 && !over,
    busy: form.busy,
    ask: (lines, signal) => send(previewRed, { params: { id: of.id }, body: { lines } }, { signal }),
  });
  return (
    <TrialDrawer
      title={`红冲 ${of.invoiceNo}`}
      width={800}
      form={form}
      ok="红冲"
      danger
      why={!asked.length ? "请填写红冲金额" : over ? OVER : why}
      note={
        shown && (
          <>
            红冲 <b>{yuan(shown.amount)}</b>，税额 {yuan(shown.tax)}
          </>
        )
      }
      take={async (body, idempotencyKey) => {
        await send(
          redInvoice,
          { params: { id: of.id }, body: { ...body, lines: asked, previewHash: fresh!.hash } },
          { idempotencyKey },
        );
        return of.kind === "special" ? "已提交红冲，等待购方确认" : "已提交红冲";
      }}
      onClose={onClose}
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
              show: (l) => input(l.id, `${l.subject} ${l.billNo} 本次红冲`),
            },
          ]}
        />
        <p>
          <Button size="sm" run={whole}>
            全额红冲
          </Button>
        </p>
        <TrialAlert text={over ? OVER : failed} />
        <FormFields form={form} cols={1} fields={["reason", { key: "remark" }]} />
      </form>
    </TrialDrawer>
  );
}
