import { useMemo } from "react";
import { addDays, maxDay } from "../../../platform/kernel/day.ts";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { earnedBy, tierRefusal } from "./commission.rules.ts";
import { addRule, copyRule, editRule, type getRule } from "./rule.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";
import { today } from "../../../platform/console/session/operator.ts";

type Rule = Reply<typeof getRule>;
type Typed = Sent<typeof addRule>["body"];
const RENT = 300_000;
const TERMS = [3, 6, 12];

const startOf = (rule: Rule, copy: boolean): Typed & { version: number } => {
  const { name, base, cap, payAfterDays, clawDays, clawMode, renewals, fromDay, toDay, tiers, version } =
    rule;
  return {
    version,
    name,
    base,
    cap,
    payAfterDays,
    clawDays,
    clawMode,
    renewals,
    fromDay: copy ? maxDay(today(), addDays(fromDay, 1)) : fromDay,
    toDay: copy ? null : toDay,
    tiers: tiers.map((tier) => ({ ...tier })),
  };
};

/** What contracts of some lengths at 3,000.00 would earn, as the form stands. */
function Example({ values }: { values: Partial<Typed> }) {
  const base = values.base ?? "monthRent";
  const tiers = (values.tiers ?? []).filter((t) => t.fromMonths !== undefined);
  const right =
    tiers.length > 0 &&
    !tierRefusal(base, tiers) &&
    tiers.every((t) => /^\d+(\.\d+)?$/.test(t.percent ?? "0"));
  if (!right) return <p className="dim">档位填好后，这里按月租金 3,000.00 元举例</p>;
  const rule = { name: "", base, tiers, cap: values.cap ?? null };
  return (
    <p role="status">
      月租金 3,000.00 元举例：
      {TERMS.map((months, i) => {
        const { amount } = earnedBy(rule, { months, monthRent: RENT, totalRent: RENT * months });
        return (
          <span key={months}>
            {i > 0 && "，"}
            {months} 个月 <b>{yuan(amount)}</b>
          </span>
        );
      })}
    </p>
  );
}

/** 新增规则, 编辑规则, and a copy that takes over from a day. */
export function RuleForm({
  rule,
  copy = false,
  onClose,
}: {
  rule?: Rule | undefined;
  copy?: boolean | undefined;
  onClose: () => void;
}) {
  const refresh = useRefresh();
  const start = useMemo(
    (): Partial<Typed> =>
      rule
        ? startOf(rule, copy)
        : {
            base: "monthRent",
            tiers: [{ fromMonths: 0, percent: "100" }],
            payAfterDays: 0,
            clawDays: 0,
            clawMode: "proRata",
            renewals: false,
            fromDay: today(),
          },
    [rule, copy],
  );
  const form = useForm<Typed>(addRule.body!, start);
  const fixed = form.values.base === "fixed";
  const title = rule ? (copy ? `${rule.name} 的新版本` : `编辑规则 ${rule.name}`) : "新增佣金规则";
  const close = async () => {
    if (!form.busy && (!form.dirty || (await confirmLeave()))) onClose();
  };
  const save = async () => {
    const sent = await form.submit(async (body) => {
      if (!rule) await send(addRule, { body });
      else {
        const more = { params: { id: rule.id }, body: { ...body, version: rule.version } };
        await (copy ? send(copyRule, more) : send(editRule, more));
      }
    });
    if (!sent) return;
    toast("佣金规则已保存");
    onClose();
    await refresh();
  };
  return (
    <Drawer
      title={title}
      width={720}
      modal
      onClose={() => void close()}
      footer={
        <Foot form={form} cancel={close}>
          <Button look="main" busy={form.busy} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <FormFields
          form={form}
          cols={2}
          label={96}
          fields={[
            "name",
            "base",
            {
              section: "档位",
              note: fixed ? "租期满若干个月，付固定金额" : "租期满若干个月，按基数的比例；取满足的最后一档",
            },
            {
              show: () => (
                <Lines<Typed, Typed["tiers"][number]>
                  form={form}
                  name="tiers"
                  heads={fixed ? ["租期满（月）", "金额"] : ["租期满（月）", "比例（%）"]}
                  fields={["fromMonths", fixed ? "fixed" : "percent"]}
                  blank={{}}
                  add="添加档位"
                  least={1}
                  most={10}
                />
              ),
            },
            { show: (v) => <Example values={v} /> },
            { section: "支付与扣回" },
            "cap",
            "payAfterDays",
            "clawDays",
            { key: "clawMode", when: (v: Partial<Typed>) => (v.clawDays ?? 0) > 0 },
            "renewals",
            { section: "生效期" },
            {
              key: "fromDay",
              ...(copy && rule && { help: `当前版本到前一天为止；之前签约的合同仍按原规则` }),
            },
            { key: "toDay", placeholder: "长期" },
          ]}
        />
        <button type="submit" hidden aria-hidden />
      </form>
    </Drawer>
  );
}
