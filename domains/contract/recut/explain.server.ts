import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Served } from "../../../platform/server/pipeline/serve.ts";
import { explains } from "../../finance/bill-list/explain.service.ts";

// What an amendment took off a line that was paid, or put onto a later bill.
explains(["recut"], (explain) => {
  const { before, amount } = explain as { before: Fen; amount: Fen };
  const sign = amount < 0 ? "−" : "+";
  return {
    amount,
    rows: [
      ["规则", "合同变更后，已出的账单按新条款补差"],
      ["算式", `${yuan(before)} ${sign} ${yuan(Math.abs(amount))} = ${yuan(before + amount)}`],
    ],
  };
});

export default [] satisfies Served[];
