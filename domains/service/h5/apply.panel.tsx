import { useCallback, useEffect, useId, useState } from "react";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { sentence } from "../../../platform/console/calls/failure.ts";
import { sendWire, type Wire } from "../../../platform/console/calls/request.ts";
import { OpenFailed, OpenSaid, OpenWaiting } from "../../../platform/console/shell/public-page.tsx";
import { useTitle } from "../../../platform/console/shell/title.ts";
import { type Errors, LightField, useLightForm } from "../../../platform/console/shell/light-field.tsx";
import { unproven, VerifyFields } from "../../../platform/console/shell/verify-fields.tsx";
import "./h5.css";

const PUBLIC = "/contract/api/v3/leaseApplication/public";
const READ: Wire = { method: "GET", path: `${PUBLIC}/:village`, asNobody: true };
const SEND: Wire = { method: "POST", path: `${PUBLIC}/:village`, asNobody: true };

type Product = { id: number; name: string; layout: string; listPrice: number | null; unit: string };
type Store = { village: string; address: string; phone: string; products: Product[] };
type Option = readonly [value: string, text: string];

const KINDS: readonly Option[] = [
  ["renter", "个人"],
  ["company", "企业"],
  ["merchant", "商户"],
];
const EMPTY = {
  ...{ partyType: "renter", name: "", firmName: "", phone: "", productId: "", remark: "" },
  ...{ wantStart: "", wantMonths: "12", occupants: "1", imageCode: "", captcha: "" },
};
type Typed = typeof EMPTY;

/** What is missing, by field; the server judges the rest. */
function missing(v: Typed): Errors {
  const between = (text: string, most: number) =>
    /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= most;
  return {
    ...(!v.productId && { productId: "请选择房间或产品" }),
    ...(!v.name.trim() && { name: "请输入姓名" }),
    ...(v.partyType !== "renter" && !v.firmName.trim() && { firmName: "请输入企业名称" }),
    ...(!isMobile(v.phone) && { phone: "请输入正确的手机号" }),
    ...(!v.wantStart && { wantStart: "请选择起租日" }),
    ...(!between(v.wantMonths, 240) && { wantMonths: "请输入1到240的整数" }),
    ...(!between(v.occupants, 50) && { occupants: "请输入1到50的整数" }),
    ...unproven(v),
  };
}

const priceOf = ({ listPrice, unit }: Product) =>
  listPrice === null ? "价格面议" : `${yuan(listPrice)} ${unit}`;

/** Whoever wants rooms of a store says so here, against a code on their phone. */
export function ApplyForm({ store }: { store: string }) {
  const [answer, setAnswer] = useState<{ store?: Store; error?: unknown }>({});
  const [alert, setAlert] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [applyNo, setApplyNo] = useState<string>();
  const form = useLightForm(EMPTY);
  useTitle("租赁申请");
  const load = useCallback(() => {
    setAnswer({});
    sendWire<Store>(READ, { params: { village: store } }).then(
      (found) => setAnswer({ store: found }),
      (error: unknown) => setAnswer({ error }),
    );
  }, [store]);
  useEffect(load, [load]);

  const submit = async () => {
    setAlert(undefined);
    if (!form.passes(missing(form.values)) || busy) return;
    setBusy(true);
    try {
      const { imageCode: _, captcha, productId, wantMonths, occupants, firmName, ...rest } = form.values;
      const reply = await sendWire<{ applyNo: string }>(SEND, {
        params: { village: store },
        body: {
          ...rest,
          firmName: rest.partyType === "renter" ? "" : firmName,
          productId: Number(productId),
          wantMonths: Number(wantMonths),
          occupants: Number(occupants),
          code: captcha.trim(),
        },
      });
      setApplyNo(reply.applyNo);
      scrollTo(0, 0);
    } catch (error) {
      if (!form.refused(error, { code: "captcha" }).length) setAlert(sentence(error));
    } finally {
      setBusy(false);
    }
  };

  if (answer.error) return <OpenFailed error={answer.error} retry={load} />;
  if (!answer.store) return <OpenWaiting />;
  const { village, address, phone, products } = answer.store;
  if (applyNo)
    return (
      <OpenSaid icon="check" look="good" title="申请已提交">
        <p>
          申请单号 {applyNo}，{village}将尽快审核，结果以短信通知您。
        </p>
      </OpenSaid>
    );
  if (!products.length) return <OpenSaid icon="info" title="该门店暂无可申请的房型" />;
  const firm = form.values.partyType !== "renter";
  return (
    <article className="open__card">
      <h1 className="h5__title">{village}租赁申请</h1>
      <p className="sub fs-13 apply__about">
        {address}
        {phone && `　${phone}`}
      </p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {alert && (
          <p className="fs-13 bad apply__about" role="alert">
            {alert}
          </p>
        )}
        <LightSelect
          label="房型"
          options={[
            ["", "请选择"],
            ...products.map(
              (p) => [String(p.id), [p.name, p.layout, priceOf(p)].filter(Boolean).join(" · ")] as const,
            ),
          ]}
          {...form.field("productId")}
        />
        <LightSelect label="类型" options={KINDS} {...form.field("partyType")} />
        {firm && (
          <LightField
            label="企业名称"
            placeholder="营业执照上的名称"
            maxLength={30}
            {...form.field("firmName")}
          />
        )}
        <LightField
          label={firm ? "联系人" : "姓名"}
          placeholder="2-30个中文或字母"
          autoComplete="name"
          maxLength={30}
          {...form.field("name")}
        />
        <LightField label="起租日" type="date" {...form.field("wantStart")} />
        <LightField label="租期（月）" inputMode="numeric" maxLength={3} {...form.field("wantMonths")} />
        <LightField label="人数" inputMode="numeric" maxLength={2} {...form.field("occupants")} />
        <LightField label="备注" placeholder="选填" maxLength={200} {...form.field("remark")} />
        <LightField
          label="手机"
          placeholder="接收验证码的手机号"
          inputMode="tel"
          autoComplete="tel"
          maxLength={11}
          {...form.field("phone")}
        />
        <VerifyFields phone={form.values.phone} path={`${PUBLIC}/code`} form={form} />
        <button type="submit" className="btn btn--main btn--lg apply__go" aria-busy={busy || undefined}>
          {busy && <span className="btn__spin" />}
          提交申请
        </button>
      </form>
    </article>
  );
}

type SelectProps = {
  label: string;
  options: readonly Option[];
  value?: unknown;
  onChange: (value: string) => void;
  error: string | undefined;
};
/** A choice in the manner of the light fields. */
function LightSelect({ label, options, value, onChange, error }: SelectProps) {
  const id = useId();
  return (
    <div className={`lf ${error ? "lf--bad" : ""}`}>
      <label htmlFor={id}>{label}</label>
      <div className="lf__in row">
        <select
          id={id}
          className="apply__select"
          value={String(value ?? "")}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {error && (
        <p className="lf__msg fs-12 bad" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
