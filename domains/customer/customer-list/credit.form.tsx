import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { type getCompany, setCredit } from "../company/company.contract.ts";
import { creditLeft } from "../company/credit.rules.ts";

type Company = Reply<typeof getCompany>;

/** 账期与授信: what it is now, what it becomes, and what would be left of it. */
export function CreditForm({ company, onClose }: { company: Company; onClose: () => void }) {
  const [now] = useState(company);
  return (
    <FormDialog
      call={setCredit}
      title={`账期与授信 ${now.name}`}
      params={{ id: now.id }}
      initial={{ creditDays: now.creditDays, creditLimit: now.creditLimit, version: now.version }}
      onDone={({ examineId }) => toast(examineId ? "已提交审批" : "账期与授信已调整")}
      onClose={onClose}
      fields={[
        { show: () => <p>已用额度 {yuan(now.creditUsed)} 元（全部门店已出账未收）</p> },
        { key: "creditDays", help: "账单应收日后允许付款的天数" },
        {
          key: "creditLimit",
          placeholder: "不填为不限",
          help: (v) => {
            const left = creditLeft(now.creditUsed, v.creditLimit ?? null);
            if (left === null) return "不填为不限";
            return left < 0 ? `已超出 ${yuan(-left)} 元` : `剩余 ${yuan(left)} 元`;
          },
        },
        "reason",
      ]}
    />
  );
}
