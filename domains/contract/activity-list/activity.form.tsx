import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Call, Reply } from "../../../platform/kernel/call.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import {
  type Body,
  FormDialog,
  FormDrawer,
  RecordForm,
} from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import {
  ChoiceInput,
  ManySelect,
  MoneyInput,
  NumberInput,
  type InputProps,
} from "../../../platform/console/inputs/inputs.tsx";
import { VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import { useAddress, useOneVillage } from "../../../platform/console/screens/page.ts";
import { subjectOptions } from "../../finance/subject/subject.contract.ts";
import { productOptions } from "../../listing/product/product.contract.ts";
import "../contract/contract.css";
import type { CycleMonths } from "../schedule/terms.rules.ts";
import {
  type ActivityBody,
  addActivity,
  adjustActivity,
  editActivity,
  type getActivity,
  offerContent,
} from "../activity/activity.contract.ts";
import { OFFER_CYCLES, effectOf, valueText } from "../activity/activity.rules.ts";

type Values = Body<typeof addActivity>;

/** Several out of the few records that a call names. */
function Chosen({ call, ...rest }: InputProps<number[]> & { call: Call }) {
  const { data, isLoading } = useQuery(ask(call, { query: {} } as never));
  const options = (data as { id: number; name: string }[] | undefined)?.map((o) => ({
    value: o.id,
    label: o.name,
  }));
  return <ManySelect {...rest} options={options} loading={isLoading} clear />;
}

const FIELDS: readonly Field<Values>[] = [
  { section: "优惠" },
  { key: "name", placeholder: "如 新春首月免租" },
  "kind",
  { key: "percent", unit: "%", must: true, when: (v) => v.kind === "percent", placeholder: "如 5，即 95 折" },
  { key: "amount", must: true, when: (v) => v.kind === "amount" },
  { key: "months", must: true, when: (v) => v.kind === "firstMonths" },
  { key: "everyMonth", when: (v) => v.kind === "amount" },
  "appliesTo",
  {
    key: "feeIds",
    must: true,
    when: (v) => v.appliesTo === "fees",
    input: (p) => <Chosen {...p} call={subjectOptions} placeholder="请选择费用" />,
  },
  { key: "monthFrom", help: "按合同月，从 1 数起" },
  { key: "monthTo", when: (v) => v.kind !== "firstMonths", placeholder: "到租期结束" },
  { show: (v) => <LiveEffect values={v} /> },
  { section: "适用" },
  { key: "villageIds", wide: true, input: (p) => <VillagesInput {...p} /> },
  "contractKinds",
  "sources",
  { key: "productIds", input: (p) => <Chosen {...p} call={productOptions} placeholder="全部产品" /> },
  { key: "roomKinds", placeholder: "全部房型" },
  { key: "cycles", placeholder: "全部付款方式" },
  { key: "minTermMonths", help: "0 表示不限" },
  "signFrom",
  "signTo",
  { section: "名额与叠加" },
  "quota",
  "perPartyLimit",
  { key: "budget", help: "0.00 表示不限" },
  "priority",
  "stackable",
  { key: "stackGroup", placeholder: "同组只能选一个", help: "同一互斥组的活动不能一起使用" },
  { key: "clawbackOnEarlyLeave", help: "提前退租时追回已享受的优惠" },
  { key: "description", wide: true },
];

const START: Partial<Values> = {
  everyMonth: false,
  appliesTo: "rent",
  monthFrom: 1,
  contractKinds: ["renter"],
  sources: ["new"],
  minTermMonths: 0,
  quota: 0,
  perPartyLimit: 0,
  budget: 0,
  stackable: true,
  priority: 50,
  clawbackOnEarlyLeave: false,
};

type Props = {
  /** A draft to be changed, or with `copies` what a new one begins with. */
  activity?: Reply<typeof getActivity>;
  copies?: boolean;
  onClose: () => void;
};

/** A new offer, a draft as it stands, or a copy of any. */
export function ActivityForm({ activity, copies = false, onClose }: Props) {
  const [, set] = useAddress();
  const { villageId } = useOneVillage() as { villageId?: number };
  const shared = { fields: FIELDS, cols: 2, width: 720, label: 104, onClose };
  const open = ({ id }: { id: number }) => set({ id, part: undefined });
  if (activity && copies)
    return (
      <FormDrawer
        {...shared}
        call={addActivity}
        title={`复制 ${activity.name}`}
        initial={
          {
            ...(activity as Partial<ActivityBody>),
            name: `${activity.name.slice(0, 26)} 副本`,
          } as Partial<Values>
        }
        done="优惠活动已新增"
        onDone={open}
      />
    );
  return (
    <RecordForm
      {...shared}
      add={addActivity}
      edit={editActivity}
      one="优惠活动"
      record={activity as never}
      initial={{ ...START, ...(villageId && { villageIds: [villageId] }) }}
      onAdded={open}
    />
  );
}

type AdjustProps = {
  activity: { id: number; name: string; signTo: string; quota: number; version: number };
  onClose: () => void;
};

/** What of a running offer may still be changed: a later day, more contracts. */
export const AdjustForm = ({ activity, onClose }: AdjustProps) => (
  <FormDialog
    call={adjustActivity}
    title={`调整 ${activity.name}`}
    params={{ id: activity.id }}
    initial={{ signTo: activity.signTo, quota: activity.quota, version: activity.version }}
    fields={[
      { key: "signTo", help: "只能延后" },
      { key: "quota", help: "只能增加，0 表示不限" },
    ]}
    done="已调整"
    onClose={onClose}
  />
);

type Sample = { rent: Fen; fee: Fen; months: number; cycleMonths: CycleMonths };

/** What the offer does to a contract that one makes up, bill by bill. */
function LiveEffect({ values }: { values: Partial<Values> }) {
  const [sample, setSample] = useState<Sample>({ rent: 300_000, fee: 20_000, months: 12, cycleMonths: 1 });
  const change = (more: Partial<Sample>) => setSample((s) => ({ ...s, ...more }));
  const offer = offerContent.safeParse({
    ...START,
    ...values,
    feeIds: values.feeIds ?? [],
  });
  const ready = offer.success && sample.rent > 0 && sample.months >= 1 && sample.months <= 60;
  const effect = ready ? effectOf([offer.data], sample) : undefined;
  return (
    <section className="offer grid gap-4" aria-label="优惠效果">
      <b>示例合同</b>
      <div className="grid offer__sample gap-6">
        <label className="row gap-2">
          月租金
          <MoneyInput value={sample.rent} onChange={(rent) => change({ rent: rent ?? 0 })} />
        </label>
        {values.appliesTo === "fees" && (
          <label className="row gap-2">
            每项费用
            <MoneyInput value={sample.fee} onChange={(fee) => change({ fee: fee ?? 0 })} />
          </label>
        )}
        <label className="row gap-2">
          租期
          <NumberInput
            value={sample.months}
            unit="个月"
            onChange={(months) => change({ months: months ?? 0 })}
          />
        </label>
        <ChoiceInput
          value={String(sample.cycleMonths)}
          words={OFFER_CYCLES}
          onChange={(cycle) => change({ cycleMonths: Number(cycle) as CycleMonths })}
        />
      </div>
      {effect ? (
        <>
          <p className="sub">
            {valueText(offer.data!)}：优惠合计 <b>{yuan(effect.off)}</b>
            ，合同总额 {yuan(effect.before)} → <b>{yuan(effect.after)}</b>，折后月租{" "}
            <b>{yuan(effect.netMonthlyRent)}</b>
          </p>
          <div className="scroll offer__bills">
            <table className="tbl">
              <thead>
                <tr>
                  <th>账单</th>
                  <th>计费期</th>
                  <th className="num">优惠前</th>
                  <th className="num">优惠后</th>
                </tr>
              </thead>
              <tbody>
                {effect.bills.map((b) => (
                  <tr key={`${b.title} ${b.periodStart}`}>
                    <td>{b.title}</td>
                    <td>
                      {b.periodStart} ~ {b.periodEnd}
                    </td>
                    <td className="num dim">{yuan(b.before)}</td>
                    <td className={`num ${b.amount < b.before ? "good" : ""}`}>{yuan(b.amount)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      ) : (
        <p className="dim">填好优惠内容后，这里按示例合同显示每张账单</p>
      )}
    </section>
  );
}
