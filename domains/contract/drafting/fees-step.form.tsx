import { Select } from "antd";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { DayInput } from "../../../platform/console/inputs/days.tsx";
import {
  ChoiceInput,
  DecimalInput,
  FlagInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { CYCLES } from "../schedule/terms.rules.ts";
import { areaFeeText, shopArea } from "../terms/area-fee.rules.ts";
import { feeHints, feesOf } from "../terms/product.rules.ts";
import { type ContractForm, FEE_KIND_WORDS, PAYER_WORDS } from "../terms/terms.contract.ts";
import type { Draft } from "./draft.form.tsx";
import { moneyIn } from "./term-fields.form.tsx";
import { mainCard } from "./drafting.rules.ts";

const CYCLE = { month: "每月", period: "每月，随租金付", once: "一次性" } as const;

/** The fees that the product of the room is let with, and the way back to them. */
export function ProductFees({ draft: { form, cards, patch } }: { draft: Draft }) {
  const product = mainCard(form.rooms, cards)?.product;
  if (!product?.fees.length) return null;
  const hints = feeHints(form, product);
  const asAgreed = () => {
    const own = feesOf(product);
    const others = form.fees.filter((fee) => !own.some((o) => o.feeId === fee.feeId));
    patch({ fees: [...others, ...own] });
  };
  return (
    <div className="fi--wide" role="note">
      <p className="dim">
        {product.name} 约定：
        {product.fees.map((f) => `${f.name} ${yuan(f.amount)}（${CYCLE[f.cycle]}）`).join("、")}
      </p>
      {hints.length > 0 && (
        <p className="row">
          <StatusTag tone="orange">{hints.join("；")}</StatusTag>
          <Button size="sm" run={asAgreed}>
            按产品填入
          </Button>
        </p>
      )}
    </div>
  );
}

type Fee = ContractForm["fees"][number];
const KIND_OPTIONS = Object.entries(FEE_KIND_WORDS).map(([value, [label]]) => ({ value, label }));
const CYCLE_OPTIONS = [
  { value: -1, label: "随租金" },
  ...CYCLES.map((c) => ({ value: c as number, label: c ? `${c} 个月` : "一次付清" })),
];

/** Of companies: a fee that occupants pay is none of the contract's bills. */
const PAYER = {
  key: "payer" as const,
  title: "付款方",
  width: 104,
  input: (p: object) => (
    <ChoiceInput
      {...(p as InputProps<string>)}
      words={PAYER_WORDS}
      value={(p as InputProps<string>).value ?? "party"}
    />
  ),
};

/** Of shops: where it is typed, the amount is the area of the shops times it. */
const UNIT_PRICE = {
  key: "unitPrice" as const,
  title: "单价",
  width: 112,
  input: (p: object) => {
    const { onChange, ...props } = p as InputProps<string>;
    return (
      <DecimalInput {...props} placeholder="不按面积" onChange={(next) => onChange(next || undefined)} />
    );
  },
};

/** Step 4: what is charged beside the rent, from the fee dictionary. */
export function FeesStep({ draft }: { draft: Draft }) {
  const { form, data, live } = draft;
  const fees = data?.fees ?? [];
  const area = form.kind === "merchant" ? shopArea(form.rooms, [...draft.cards.values()]) : undefined;
  const byArea = form.fees.flatMap((fee) =>
    area && fee.unitPrice ? `${fee.name} ${areaFeeText(fee, area)}` : [],
  );
  return (
    <div className="form cf__grid">
      <h3 className="form__section">
        其他费用<small>周期费用按每月金额填写；水电按表计费的，入住后由抄表出账</small>
      </h3>
      <ProductFees draft={draft} />
      <Lines<ContractForm, Fee>
        form={draft}
        name="fees"
        heads={[
          ...["费用科目", "收取方式"],
          ...(form.kind === "merchant" ? ["单价（元/㎡·月）"] : []),
          ...["金额", "付款周期", "按天折算"],
          ...(form.kind === "company" ? ["付款方"] : []),
          ...["起", "止"],
        ]}
        blank={{ kind: "recurring", prorate: true, name: "" }}
        add="添加费用"
        most={60}
        fields={[
          {
            key: "feeId",
            title: "费用科目",
            width: 150,
            input: (p) => (
              <Select
                id={p.id ?? ""}
                value={(p as InputProps<number>).value ?? null}
                placeholder="请选择"
                showSearch={{ optionFilterProp: "label" }}
                options={fees.map((f) => ({ value: f.feeId, label: f.name, title: `税率 ${f.tax}` }))}
                onChange={(next) => (p as InputProps<number>).onChange(next ?? undefined)}
              />
            ),
          },
          {
            key: "kind",
            title: "收取方式",
            width: 112,
            input: (p) => (
              <Select
                id={p.id ?? ""}
                value={(p as InputProps<string>).value ?? null}
                options={KIND_OPTIONS}
                onChange={(next) => (p as InputProps<string>).onChange(next)}
              />
            ),
          },
          ...(form.kind === "merchant" ? [UNIT_PRICE] : []),
          { key: "amount", title: "金额", width: 120, input: moneyIn() },
          {
            key: "cycleMonths",
            title: "付款周期",
            width: 104,
            input: (p) => (
              <Select
                id={p.id ?? ""}
                value={(p as InputProps<number>).value ?? -1}
                options={CYCLE_OPTIONS}
                onChange={(n) => (p as InputProps<number>).onChange(n < 0 ? undefined : n)}
              />
            ),
          },
          {
            key: "prorate",
            title: "按天",
            width: 92,
            input: (p) => (
              <FlagInput {...(p as InputProps<boolean>)} value={(p as InputProps<boolean>).value ?? true} />
            ),
          },
          ...(form.kind === "company" ? [PAYER] : []),
          {
            key: "fromDate",
            title: "起",
            width: 132,
            input: (p) => <DayInput {...(p as InputProps<string>)} placeholder="起租日" />,
          },
          {
            key: "toDate",
            title: "止",
            width: 132,
            input: (p) => <DayInput {...(p as InputProps<string>)} placeholder="到期日" />,
          },
        ]}
        foot={() =>
          form.fees.length > 0 &&
          live.plan && (
            <span className="dim">
              {byArea.map((text) => `${text}；`)}
              全部租期费用合计 {yuan(live.plan.totals.fees)}
              {form.fees.some((fee) => fee.payer === "occupant") &&
                "；入住人付款的费用按每间房每月填写，每个合同月结束后按入住天数分摊，向入住人出账"}
            </span>
          )
        }
      />
      {form.fees.length === 0 && (
        <p className="dim fi--wide">除租金和押金外没有约定其他费用，可以直接进入下一步</p>
      )}
    </div>
  );
}
