import type { Served } from "../../../platform/server/pipeline/serve.ts";
import { explains } from "../../finance/bill-list/explain.service.ts";
import { type OccupantShare, shareSentence } from "./occupant-fee.rules.ts";

explains(["occupantShare"], (stored) => {
  const { formula, amount } = shareSentence(stored as OccupantShare["explain"]);
  return {
    amount,
    rows: [
      ["规则", "入住人付款的费用：每间房每月金额，每天由当天在住的人均摊"],
      ["算式", formula],
      ["取整", "按本房间本月累计四舍五入到分"],
    ],
  };
});

export default [] satisfies Served[];
