import { yuan } from "../../../platform/kernel/fen.ts";
import type { STAGES } from "./words.rules.ts";

type Standing = { stage: keyof typeof STAGES; arrears: number; prepaid: number; deposit: number };

/** What the row already tells against deleting; drafts, bills and links are counted by the server. */
export const deletionRefusal = ({ stage }: Standing): string | undefined =>
  stage === "prospect" ? undefined : "该租客有合同，不能删除";

/** What the row already tells against erasing a person; how long ago the last contract ended, the server knows. */
export function anonymisingRefusal({ stage, arrears, prepaid, deposit }: Standing): string | undefined {
  if (stage === "living") return "该租客仍有未结束的合同，不能匿名化";
  if (stage === "prospect") return "仅历史租客可以匿名化";
  if (arrears) return `该租客尚有未收款项 ${yuan(arrears)} 元，不能匿名化`;
  if (prepaid) return `该租客尚有预存款 ${yuan(prepaid)} 元，不能匿名化`;
  if (deposit) return `该租客尚有押金 ${yuan(deposit)} 元，不能匿名化`;
  return undefined;
}
