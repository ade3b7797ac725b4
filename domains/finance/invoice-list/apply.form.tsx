import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { TrialAlert, TrialDrawer, useTrial } from "../../../platform/console/form/trial-drawer.tsx";
import { type InputProps, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import {
  applyInvoice,
  issueInvoice,
  previewApply,
  type Started,
  startApply,
} from "../invoice/acts.contract.ts";
import { useParts } from "./parts.panel.tsx";

type Body = Sent<typeof applyInvoice>["body"];
type Buyer = Partial<Omit<Body, "lines" | "previewHash" | "issueNow">>;

/** A text of one line, however long it may be. */
const line = (key: string, max: number, more: object = {}) => ({
  key,
  input: (p: InputProps<string>) => <TextInput {...p} max={max} />,
  ...more,
});

/** What of an invoice its buyer says, in an application as in a later change. */
export const buyerFields = <V extends Buyer>(leased: boolean): readonly Field<V>[] =>
  [
    "kind",
    "titleType",
    line("title", 100, { wide: true }),
    {
      key: "taxNo",
      placeholder: "统一社会信用代码",
      when: (v: Buyer) => v.titleType !== "person" || Boolean(v.taxNo),
    },
    line("addressPhone", 100),
    line("bankAccount", 100),
    { key: "receiverMobile" },
    line("receiverEmail", 100),
    ...(leased
      ? [
          { section: "不动产租赁信息" },
          line("leaseAddress", 120, { wide: true, must: true }),
          { key: "leaseStart", must: true },
          { key: "leaseEnd", must: true },
          { key: "certificateNo", placeholder: "没有可不填" },
          { key: "crossCity" },
        ]
      : []),
    { key: "remark", wide: true },
  ] as unknown as readonly Field<V>[];

const OVER = "本次开票不能超过可开金额";

type Props = { billIds?: string; lineIds?: string; onClose: () => void };

/** 申请开票: lines of one customer, how much of each, to whom, and on how many invoices. */
export function ApplyForm({ billIds, lineIds, onClose }: Props) {
  const { data, error, refetch } = useQuery({
    ...ask(startApply, { query: { billIds, lineIds } }),
    retry: false,
    staleTime: Infinity,
  });
  if (data) return <Apply of={data} onClose={onClose} />;
  return (
    <Drawer title="申请开票" width={960} modal onClose={onClose}>
      {error ? <Broken error={error} retry={refetch} /> : <RowsSkeleton rows={8} />}
    </Drawer>
  );
}

type Title = Started["titles"][number];
const asBuyer = (title: Title | undefined, of: Started): Partial<Body> => ({
  kind: title?.kind === "company" && title.taxNo ? of.kind : "general",
  titleType: title?.kind ?? "person",
  title: title?.title ?? "",
  taxNo: title?.taxNo ?? "",
  addressPhone: title?.addressPhone ?? "",
  bankAccount: title?.bankAccount ?? "",
  receiverEmail: title?.email ?? "",
});

function Apply({ of, onClose }: { of: Started; onClose: () => void }) {
  const usable = of.lines.filter((l) => !l.why);
  const form = useForm<Body>(applyInvoice.body!, {
    ...asBuyer(of.titles[0], of),
    lines: usable.map((l) => ({ lineId: l.lineId, amount: l.available })),
    receiverMobile: of.mobile,
    leaseAddress: of.lease?.address ?? "",
    leaseStart: of.lease?.start ?? null,
    leaseEnd: of.lease?.end ?? null,
    certificateNo: of.lease?.certificateNo ?? "",
    crossCity: false,
    previewHash: "",
    issueNow: may(issueInvoice.needs) && !of.manual,
  });
  const { asked, over, amountOf, input } = useParts(
    form,
    usable.map((l) => ({ id: l.lineId, most: l.available })),
  );
  const { shown, fresh, failed, why } = useTrial({
    queryKey: [previewApply.path],
    typed: asked,
    ready: asked.length > 0 && !over,
    busy: form.busy,
    ask: (lines, signal) => send(previewApply, { body: { lines } }, { signal }),
  });
  const leased = of.lines.some((l) => l.lease && (amountOf(l.lineId) ?? 0) > 0);
  return (
    <TrialDrawer
      title={`申请开票 ${of.partyName}`}
      width={960}
      form={form}
      ok={form.values.issueNow ? "提交开票" : "提交申请"}
      why={!asked.length ? "请填写本次开票金额" : over ? OVER : why}
      note={
        shown && (
          <>
            价税合计 <b>{yuan(shown.amount)}</b>，税额 {yuan(shown.tax)}，共 {shown.sheets.length} 张
          </>
        )
      }
      take={async (body, idempotencyKey) => {
        const { waiting, ids } = await send(
          applyInvoice,
          { body: { ...body, lines: asked, previewHash: fresh!.hash } },
          { idempotencyKey },
        );
        return waiting
          ? `已提交审批 ${waiting}`
          : body.issueNow
            ? `已提交开具 ${ids.length} 张发票`
            : `已申请 ${ids.length} 张发票，等待审核`;
      }}
      onClose={onClose}
    >
      <form className="record stack gap-8" noValidate onSubmit={(event) => event.preventDefault()}>
        <p className="sub">
          销方 {of.sellerName}，{of.villageName}，单张限额 {yuan(of.perInvoiceLimit)}
        </p>
        <RowTable
          schema={startApply.reply!.shape.lines}
          rows={of.lines}
          columns={[
            { key: "subject", show: (l) => (l.room ? `${l.subject} ${l.room}` : l.subject) },
            {
              own: "period",
              title: "计费期",
              show: (l) => (l.periodStart ? `${l.periodStart} ~ ${l.periodEnd}` : NONE),
            },
            "taxWord",
            "available",
            {
              own: "amount",
              title: "本次开票",
              width: 168,
              show: (l) =>
                l.why ? (
                  <span className="bad">{l.why}</span>
                ) : (
                  input(l.lineId, `${l.subject} ${l.periodStart ?? ""} 本次开票`)
                ),
            },
          ]}
        />
        <TrialAlert text={over ? OVER : failed} />
        {shown && shown.sheets.length > 1 && (
          <>
            <p className="notice s-orange" role="status">
              超过单张限额或税目不同，将拆分为 {shown.sheets.length} 张发票
            </p>
            <RowTable
              schema={previewApply.reply!.shape.sheets}
              rows={shown.sheets}
              columns={[
                { own: "items", title: "费用", show: (s) => s.lines.map((l) => l.label).join("，") },
                "amount",
                "tax",
              ]}
              sums={{ amount: shown.amount, tax: shown.tax }}
            />
          </>
        )}
        {of.titles.length > 1 && (
          <Select
            aria-label="发票抬头"
            defaultValue={0}
            options={of.titles.map((t, i) => ({
              value: i,
              label: [t.title, t.taxNo].filter(Boolean).join(" "),
            }))}
            onChange={(i: number) => {
              for (const [field, value] of Object.entries(asBuyer(of.titles[i], of))) form.set(field, value);
            }}
          />
        )}
        <FormFields
          form={form}
          cols={2}
          fields={[
            ...buyerFields<Body>(leased),
            ...(may(issueInvoice.needs) && !of.manual ? (["issueNow"] as const) : []),
          ]}
        />
      </form>
    </TrialDrawer>
  );
}
