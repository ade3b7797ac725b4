import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Facts, MoneyStrip } from "../../../platform/console/detail/facts.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { type Body, FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import { trialSales } from "./link.contract.ts";
import type { ShopMonth } from "./months.panel.tsx";
import { confirmSales, declareSales, editSales, previewSales, turnoverMonths } from "./statement.contract.ts";

const FIGURES = [
  ["gross", "营业额"],
  ["refunds", "退货"],
  ["excluded", "不计入金额"],
] as const;

type Declared = Pick<ShopMonth, "id" | "month" | "version" | "gross" | "refunds" | "excluded">;

/** 确认营业额: the audited figures, what they cost band by band, and the bill that comes of it. */
export function ConfirmForm({ month: m, onClose }: { month: Declared; onClose: () => void }) {
  const refresh = useRefresh();
  const [key] = useState(freshKey);
  const [busy, setBusy] = useState(false);
  const [audited, setAudited] = useState({
    gross: m.gross ?? 0,
    refunds: m.refunds ?? 0,
    excluded: m.excluded ?? 0,
  });
  const params = { id: m.id! };
  const whole = Object.values(audited).every(Number.isSafeInteger);
  const { data, error, refetch } = useQuery({
    queryKey: [previewSales.path, params, audited],
    queryFn: ({ signal }) => send(previewSales, { params, body: { audited } }, { signal }),
    // what has just been confirmed is not worked out again
    enabled: whole && !busy,
    retry: false,
  });
  const save = async () => {
    setBusy(true);
    try {
      const body = { audited, previewHash: data!.hash, version: m.version! };
      const { billNo, change, examineNo } = await send(
        confirmSales,
        { params, body },
        { idempotencyKey: key },
      );
      toast(
        examineNo
          ? `已提交审批 ${examineNo}，通过后确认`
          : billNo
            ? `已确认，生成账单 ${billNo}`
            : change < 0
              ? `已确认，冲减 ${yuan(-change)} 元`
              : "已确认，无需出账",
      );
      onClose();
      await refresh();
    } catch (failure) {
      showFailure(failure);
      await refetch();
    } finally {
      setBusy(false);
    }
  };
  const why = whole ? (error ? "请核对金额" : data ? undefined : "正在试算") : "请输入正确的金额";
  return (
    <Drawer
      title={`确认 ${m.month} 营业额`}
      width={640}
      modal
      onClose={onClose}
      footer={
        <Foot cancel={onClose}>
          <Button look="main" busy={busy} why={why} run={save}>
            {data && data.change > 0 ? `确认并出账 ${yuan(data.change)}` : "确认"}
          </Button>
        </Foot>
      }
    >
      <div className="form">
        {FIGURES.map(([field, title]) => (
          <div key={field} className="fi">
            <label className="fi__label" htmlFor={`audited-${field}`}>
              {title}
            </label>
            <div className="fi__in">
              <MoneyInput
                id={`audited-${field}`}
                value={audited[field]}
                onChange={(fen) => setAudited({ ...audited, [field]: fen ?? 0 })}
              />
            </div>
          </div>
        ))}
      </div>
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : !data ? (
        <RowsSkeleton rows={3} />
      ) : (
        <>
          <div className="turnover__sum">
            <MoneyStrip
              items={[
                { title: "净额", fen: data.net },
                { title: "保底", fen: data.base },
                { title: "提成", fen: data.share },
                { title: "本次出账", fen: data.change, key: true },
              ]}
            />
          </div>
          {data.parts.map((text) => (
            <p key={text} className="turnover__part">
              {text}
            </p>
          ))}
          {data.note && <p className="dim">{data.note}</p>}
          <Facts
            call={previewSales}
            data={data}
            facts={["topUp", "charged", { key: "dueDate", show: (d) => d.dueDate ?? "不出账" }]}
          />
        </>
      )}
    </Drawer>
  );
}

type Typed = { gross?: number | undefined; refunds?: number | undefined; excluded?: number | undefined };
const net = ({ gross = 0, refunds = 0, excluded = 0 }: Typed) =>
  `净额 ${yuan(gross - refunds - excluded)} 元`;

/** What the month costs at what is typed, band by band. */
function Comes({ contractId, monthNo, typed }: { contractId: number; monthNo: number; typed: Typed }) {
  const { gross, refunds = 0, excluded = 0 } = typed;
  const body = { contractId, monthNo, gross: gross ?? 0, refunds, excluded };
  const whole = gross !== undefined && Object.values(body).every(Number.isSafeInteger);
  const { data } = useQuery({
    queryKey: [trialSales.path, body],
    queryFn: ({ signal }) => send(trialSales, { body }, { signal }),
    enabled: whole && gross - refunds - excluded >= 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data || !whole) return null;
  return (
    <p className="sub fs-13" role="status">
      {[
        ...data.parts,
        data.share !== null && `提成 ${yuan(data.share)}`,
        data.base !== null && `保底 ${yuan(data.base)}`,
        `补差 ${yuan(data.topUp)}`,
      ]
        .filter(Boolean)
        .join("；")}
    </p>
  );
}

const fieldsOf = (
  contractId: number,
  { no: monthNo, files }: ShopMonth,
): readonly Field<Body<typeof declareSales>>[] => [
  "gross",
  "refunds",
  "excluded",
  { show: (typed) => <Comes contractId={contractId} monthNo={monthNo} typed={typed} /> },
  { key: "note", wide: true },
  {
    key: "fileIds",
    wide: true,
    input: (p) => (
      <PapersInput
        {...p}
        call={UPLOADS.paper30M}
        known={files}
        maxFiles={10}
        hint="收银小票、对账单，图片或PDF，最多10个"
      />
    ),
  },
  "submit",
];

/** 申报营业额 and its correction. */
export function DeclareForm(p: { contractId: number; month: ShopMonth; onClose: () => void }) {
  const { month: m, contractId, onClose } = p;
  if (m.id === null || m.version === null)
    return (
      <FormDrawer
        call={declareSales}
        title={`申报 ${m.month} 营业额`}
        done="营业额已申报"
        initial={{ contractId, monthNo: m.no, refunds: 0, excluded: 0, submit: true }}
        fields={fieldsOf(contractId, m)}
        note={net}
        onClose={onClose}
      />
    );
  return (
    <FormDrawer
      call={editSales}
      title={`编辑 ${m.month} 营业额`}
      done="营业额已保存"
      params={{ id: m.id }}
      initial={{
        gross: m.gross ?? 0,
        refunds: m.refunds ?? 0,
        excluded: m.excluded ?? 0,
        note: m.note,
        fileIds: m.files.map((file) => file.id),
        submit: true,
        version: m.version,
      }}
      fields={fieldsOf(contractId, m) as readonly Field<Body<typeof editSales>>[]}
      note={net}
      onClose={onClose}
    />
  );
}

/** The form for a row of a list, which does not carry all that the form shows: its month is read first. */
export function useDeclare() {
  const [open, setOpen] = useState<{ contractId: number; month: ShopMonth }>();
  const refresh = useRefresh();
  const declare = async (contractId: number, is: (month: ShopMonth) => boolean) => {
    const shops = await send(turnoverMonths, { query: { contractId } });
    const month = shops.flatMap((shop) => shop.months).find(is);
    // somebody else has replaced it meanwhile: the list then says how it stands
    if (month) setOpen({ contractId, month });
    else await refresh();
  };
  return { declare, form: open && <DeclareForm {...open} onClose={() => setOpen(undefined)} /> };
}
