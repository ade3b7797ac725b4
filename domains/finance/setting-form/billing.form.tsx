import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { Wrong } from "../../../platform/console/form/form-foot.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { allocationExample } from "./example.rules.ts";
import { Origin, useOwners } from "./origin.panel.tsx";
import { writeBillingSetting, type Editing, type Setting, editing } from "../setting/setting.contract.ts";
import { type OrderKey, type SettingKey, ORDER_KEYS, ORDER_WORDS } from "../setting/setting.rules.ts";
import { subjectOptions } from "../subject/subject.contract.ts";

/** The keys by which open lines are paid, and beside them what their order does to a payment. */
export const OrderInput = ({ value = [...ORDER_KEYS], onChange, id, disabled }: InputProps<OrderKey[]>) => (
  <div className="set__order grid gap-8">
    <Ordered
      id={id}
      label="分摊顺序"
      disabled={disabled}
      items={value.map((key) => ({ key, title: ORDER_WORDS[key][0] }))}
      onChange={onChange}
    />
    <Example order={value} />
  </div>
);

function Example({ order }: { order: readonly OrderKey[] }) {
  const { money, rows } = allocationExample(order);
  return (
    <div className="set__eg fs-13" aria-live="polite">
      <table>
        <caption className="sr">分摊举例</caption>
        <thead>
          <tr className="dim">
            <td>例：欠两个月，收到 {yuan(money)}</td>
            <td className="num">应收</td>
            <td className="num">付</td>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className={row.pay ? "" : "none"}>
              <td>{row.name}</td>
              <td className="num">{yuan(row.owed)}</td>
              <td className="num">{row.pay ? <Money fen={row.pay} /> : "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const WHICH = { all: ["全部收入类", "grey"], some: ["指定科目", "grey"] } as const;

type SubjectsInputProps = {
  value: string[] | null | undefined;
  onChange: (codes: string[] | null) => void;
  disabled: boolean;
};

/** Every income subject (null), or some by code. Deposits, earnest and collected money never bear a late fee. */
export function SubjectsInput({ value, onChange, disabled }: SubjectsInputProps) {
  const { data = [] } = useQuery(ask(subjectOptions, { query: { kinds: "income" } }));
  const names = new Map(data.map((s) => [s.code, s.name]));
  return (
    <>
      <ChoiceInput
        words={WHICH}
        value={value ? "some" : "all"}
        disabled={disabled}
        onChange={(which) => onChange(which === "some" ? ["rent"] : null)}
      />
      {value && (
        <Select
          mode="multiple"
          aria-label="适用科目"
          style={{ width: "100%", marginTop: 8 }}
          value={value}
          disabled={disabled}
          placeholder="请选择"
          maxTagCount="responsive"
          optionFilterProp="label"
          options={[...names].map(([code, label]) => ({ value: code, label }))}
          onChange={onChange}
        />
      )}
    </>
  );
}

const HELP: Partial<Record<SettingKey, string>> = {
  issueLeadDays: "账单在应收日前几天出账，只影响以后生成的账单",
  payOrderMinutes: "账单的收款码出示后多久失效，已出示的不变",
  autoUsePrepaid: "每晚出账后用预存款付款，先付最早到期的",
  writeOffMinDays: "逾期不满这些天的账单不能核销",
  cashRefundLimit: "超过这个金额的退款不能付现金",
  confirmChannels: "这些渠道的收款由第二人确认后才入账",
  cashSubmitDays: "门店现金在归属日后第几个工作日的18:00前缴出，0为当天",
  cashLimit: "现金箱超过这个金额时提醒门店，0为不提醒",
  matchWindowDays: "缴款与银行流水相差多少天以内可以匹配",
  setoffOrder: "退房结算时先用哪一项抵欠费，用不完的退还",
  lateFeeEnabled: "关闭后不再计收新的滞纳金，已入账的不变",
  lateFeeFreeze: "未入账前是预计滞纳金，不计入任何余额",
  lateFeeMin: "累计不到这个金额的滞纳金不入账",
  lateFeePauseOnDispute: "登记争议到解除之间的日子不计",
  recognition: "直线法把合同租金总额按月平均，含免租期；只用于之后签约的合同",
  taxPoint: "没开票的部分按收款或确认的收入，每月1日申报",
};

/** The settings of one owner: changed where they stand, from a day on. */
export function BillingForm({ setting }: { setting: Setting }) {
  const refresh = useRefresh();
  const state = useForm<Editing>(editing, {
    ...setting.values,
    follow: [],
    taken: [],
    effectiveDate: setting.today,
  });
  const owners = useOwners(setting, state);
  const locked = !setting.editable || !may("252.edit");

  const save = async () => {
    const sent = await state.submit((values) =>
      send(writeBillingSetting, {
        query: setting.villageId ? { villageId: setting.villageId } : {},
        body: { ...owners.changed(values), effectiveDate: values.effectiveDate, version: setting.version },
      }),
    );
    if (!sent) return;
    const { effectiveDate } = state.values;
    toast(effectiveDate === setting.today ? "已保存，立即生效" : `已保存，${effectiveDate} 起生效`);
    await refresh();
  };

  const field = (name: SettingKey, more: object = {}) =>
    ({
      key: name,
      disabled: locked || owners.follows(name),
      help: (
        <span className="set__from">
          {HELP[name] && <span>{HELP[name]}</span>}
          <Origin name={name} owners={owners} readOnly={locked} />
        </span>
      ),
      ...more,
    }) as Field<Editing>;
  const charged = (values: Partial<Editing>) => values.lateFeeEnabled !== false;
  return (
    <>
      <FormFields
        form={state}
        cols={2}
        label={132}
        fields={[
          { section: "出账与收款" },
          field("issueLeadDays"),
          field("payOrderMinutes"),
          field("autoUsePrepaid"),
          field("writeOffMinDays"),
          field("confirmChannels"),
          { section: "现金与缴款" },
          field("cashRefundLimit"),
          field("cashSubmitDays"),
          field("cashLimit"),
          field("matchWindowDays"),
          { section: "收款分摊", note: "一笔收款不够付清时，按这个顺序付" },
          field("allocationOrder", {
            wide: true,
            input: (p: InputProps<OrderKey[]>) => <OrderInput {...p} />,
          }),
          field("setoffOrder"),
          { section: "滞纳金" },
          field("lateFeeEnabled"),
          field("lateFeeFreeze", { when: charged }),
          field("lateFeeSubjects", {
            when: charged,
            input: (p: InputProps<string[]>) => (
              <SubjectsInput
                value={state.values.lateFeeSubjects}
                disabled={p.disabled === true}
                onChange={(codes) => state.set("lateFeeSubjects", codes)}
              />
            ),
          }),
          field("lateFeeMin", { when: charged }),
          field("lateFeePauseOnDispute", { when: charged }),
          { section: "收入与税金" },
          field("recognition"),
          field("taxPoint"),
          ...(locked
            ? []
            : [{ section: "生效" }, { key: "effectiveDate" as const, help: "不早于今天，到期自动生效" }]),
        ]}
      />
      {locked ? (
        may("252.edit") && <p className="dim">企业设置影响全部门店，由可管理全部门店的人员修改</p>
      ) : (
        <p className="acts">
          <Button
            look="main"
            busy={state.busy}
            why={owners.any(state.values) ? undefined : "没有修改"}
            run={save}
          >
            保存账务设置
          </Button>
          <Wrong form={state} />
          <span className="dim">已出账的账单不变</span>
        </p>
      )}
    </>
  );
}
