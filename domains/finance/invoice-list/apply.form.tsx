import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useDeferredValue, useEffect, useState } from "react";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { type InputProps, MoneyInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { applyInvoice, issueInvoice, previewApply, type Started, startApply } from "../invoice/acts.contract.ts";

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
  const refresh = useRefresh();
  const usable = of.lines.filter((l) => !l.why);
  const form = useForm<Body>(applyInvoice.body!, {
    ...asBuyer(of.titles[0], of),
    lines: usable.map((l) => ({ lineId: l.lineId, amount: l.available })),
    receiverMobile: of.mobile,
    leaseAddress: of.lease?.address ?? "",
    leaseStart: of.lease?.start ?? null,
    leaseEnd: of.lease?.end ?? null,
    crossCity: false,
    previewHash: "",
    issueNow: may(issueInvoice.needs) && !of.manual,
  });
  const [key, setKey] = useState(freshKey);
  const [sent, setSent] = useState(false);
  const lines = form.values.lines ?? [];
  const asked = lines.filter((l) => Number.isSafeInteger(l.amount) && l.amount > 0);
  const over = asked.some((l) => l.amount > (usable.find((u) => u.lineId === l.lineId)?.available ?? 0));
  const now = JSON.stringify(asked);
  const wanted = useDeferredValue(now);
  const preview = useQuery({
    queryKey: [previewApply.path, wanted],
    queryFn: ({ signal }) =>
      send(previewApply, { body: { lines: JSON.parse(wanted) as Body["lines"] } }, { signal }),
    // neither what is typed over nor what is sent already is asked for
    enabled: wanted === now && asked.length > 0 && !over && !sent,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const shown = asked.length && !over && !preview.error ? preview.data : undefined;
  const hash = preview.isPlaceholderData || wanted !== now ? "" : (shown?.hash ?? "");
  useEffect(() => {
    form.set("previewHash", hash);
    // the form keeps what is shown
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [hash]);
  const amountOf = (id: number) => lines.find((l) => l.lineId === id)?.amount;
  const setAmount = (lineId: number, amount: number | undefined) =>
    form.set(
      "lines",
      of.lines.flatMap((l) => {
        const part = l.lineId === lineId ? amount : amountOf(l.lineId);
        return part === undefined ? [] : [{ lineId: l.lineId, amount: part }];
      }),
    );
  const leased = of.lines.some((l) => l.lease && (amountOf(l.lineId) ?? 0) > 0);
  const save = async () => {
    const done = await form.submit(async (body) => {
      setSent(true);
      const reply = await send(applyInvoice, { body: { ...body, lines: asked } }, { idempotencyKey: key });
      toast(
        reply.waiting
          ? `已提交审批 ${reply.waiting}`
          : body.issueNow
            ? `已提交开具 ${reply.ids.length} 张发票`
            : `已申请 ${reply.ids.length} 张发票，等待审核`,
      );
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
    ? "请填写本次开票金额"
    : over
      ? OVER
      : preview.error
        ? sentence(preview.error)
        : !hash
          ? "正在试算"
          : undefined;
  return (
    <Drawer
      title={`申请开票 ${of.partyName}`}
      width={960}
      modal
      onClose={() => void close()}
      footer={
        <Foot
          form={form}
          cancel={close}
          note={
            shown && (
              <span className="sub">
                价税合计 <b>{yuan(shown.amount)}</b>，税额 {yuan(shown.tax)}，共 {shown.sheets.length} 张
              </span>
            )
          }
        >
          <Button look="main" busy={form.busy} why={why} run={save}>
            {form.values.issueNow ? "提交开票" : "提交申请"}
          </Button>
        </Foot>
      }
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
                  <label>
                    <span className="sr">{`${l.subject} ${l.periodStart ?? ""} 本次开票`}</span>
                    <MoneyInput value={amountOf(l.lineId)} onChange={(fen) => setAmount(l.lineId, fen)} />
                  </label>
                ),
            },
          ]}
        />
        {asked.length > 0 && (over || preview.error) && (
          <div className="form__alert" role="alert">
            {over ? OVER : sentence(preview.error)}
          </div>
        )}
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
    </Drawer>
  );
}
