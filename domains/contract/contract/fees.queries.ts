import type { FieldError } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Terms } from "../terms/terms.contract.ts";

/** What is wrong with the subjects of a contract's fees, and the names of those that are right. */
export async function checkedFees(
  read: Pick<Read, "tx">,
  enterpriseId: number,
  fees: Terms["fees"],
): Promise<{ errors: FieldError[]; names: Map<number, string> }> {
  if (!fees.length) return { errors: [], names: new Map() };
  const rows = await read.tx
    .selectFrom("feeSubject as s")
    .leftJoin("feeChoice as c", "c.id", "s.id")
    .select(["s.id", "s.name", "s.kind", "c.id as choice"])
    .where("s.enterpriseId", "=", enterpriseId)
    .where("s.id", "=", anyOf(fees.map((f) => f.feeId)))
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const errors = fees.flatMap(({ feeId, kind }, i): FieldError[] => {
    const subject = known.get(feeId);
    const wrong = (field: string, msg: string) => [{ field: `fees.${i}.${field}`, msg }];
    if (!subject) return wrong("feeId", "请选择费用科目");
    if (subject.choice === null)
      return wrong("feeId", `${subject.name}不能作为合同费用收取，请选择其他费用科目`);
    const deposit = subject.kind === "deposit";
    if (deposit === (kind === "depositInKind")) return [];
    return wrong("kind", deposit ? "押金科目只能按实物押金收取" : "实物押金请选择押金科目");
  });
  return { errors, names: new Map(rows.map((row) => [row.id, row.name])) };
}
