import { createHash } from "node:crypto";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { approves } from "../../approval/examine/registry.service.ts";
import { batchOf, billBatch } from "./bill.service.ts";

approves({
  type: "commission",
  title: "佣金结算",
  group: "财务",
  kind: "commission",
  page: "/configuration/AgentManagement?tab=settle",
  permit: "115.query",
  fields: [
    { key: "amount", title: "金额", kind: "money" },
    { key: "count", title: "笔数", kind: "number", unit: "笔" },
  ],
  outlook: async (read, { id }) => {
    const rows = await batchOf(read, id);
    const [first] = rows;
    if (!first || rows.some((row) => row.state !== "settling" || row.billId !== null))
      throw new Refusal("notAllowed", "该批佣金已退回，请重新生成账单");
    const amount = rows.reduce((sum, row) => sum + row.amount, 0);
    const payee = first.agencyName || first.agentName;
    return {
      title: `佣金结算 ${payee}`,
      number: first.number,
      villageId: first.villageId,
      amount,
      values: { amount, count: rows.length },
      facts: [
        ["收款方", payee],
        ["收款账户", first.bankText || "未登记收款账户"],
        ["门店", first.villageName],
        ["应付金额", `${yuan(amount)} 元`],
      ],
      preview: [
        {
          title: "结算的佣金",
          columns: [
            { title: "编号", kind: "text" },
            { title: "经纪人", kind: "text" },
            { title: "合同", kind: "text" },
            { title: "佣金", kind: "money" },
          ],
          rows: rows.map((row) => [row.number, row.agentName, row.contractNo, row.amount]),
        },
      ],
      hash: createHash("sha256")
        .update(JSON.stringify(rows.map((row) => [row.id, row.amount])))
        .digest("hex"),
    };
  },
  effect: async (act, { id }) => void (await billBatch(act, id)),
});
