import { sql } from "kysely";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { onceIn } from "../../../platform/server/database/once.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { BUILT_IN, type Subject } from "./subject.rules.ts";

/** Gives an enterprise the built-in fee subjects it has not got yet. Safe to call again. */
export async function seedSubjects(act: Pick<Act, "tx">, enterpriseId: number): Promise<void> {
  await act.tx
    .insertInto("feeSubject")
    .values(BUILT_IN.map((seed) => ({ ...seed, enterpriseId })))
    .onConflict((oc) => oc.doNothing())
    .execute();
}

/** Fee subjects of all enterprises of some villages: by id, and by code within the enterprise of a village. */
export type Subjects = {
  of: (id: number) => Subject;
  /** A code such as 'rent', or an id; both must belong to the village's enterprise. */
  find: (villageId: number, subject: string | number) => Subject;
  /** By its name; one in use before one that is switched off. */
  named: (villageId: number, name: string) => Subject | undefined;
  late: (villageId: number) => Subject;
};

/** What is read once in a transaction stands for all of it; who changes subjects reads them with a statement of their own. */
export function subjectsFor(read: Read, villageIds: readonly number[]): Promise<Subjects> {
  const ids = [...new Set(villageIds)].toSorted((a, b) => a - b);
  return onceIn(read, `fee subjects ${ids.join()}`, () => readSubjects(read, ids));
}

async function readSubjects(read: Read, villageIds: readonly number[]): Promise<Subjects> {
  const { rows } = await sql<Subject & { villages: number[] }>`
    select s.id, s.enterprise_id, s.code, s.name, s.kind, s.tax_mode, s.tax_rate, s.recognise, s.utility, s.priority,
      s.enabled, v.villages
    from (select enterprise_id, array_agg(id) villages from village
      where id = any(${villageIds as number[]}::bigint[]) group by 1) v
    join fee_subject s on s.enterprise_id = v.enterprise_id`.execute(read.tx);
  const enterprises = new Map(rows.flatMap((s) => s.villages.map((id) => [id, s.enterpriseId])));
  const byId = new Map(rows.map((s) => [s.id, s]));
  const byCode = new Map(rows.map((s) => [`${s.enterpriseId} ${s.code}`, s]));
  const byName = new Map(
    rows
      .toSorted((a, b) => Number(a.enabled) - Number(b.enabled))
      .map((s) => [`${s.enterpriseId} ${s.name}`, s]),
  );
  const named = (villageId: number, name: string) => byName.get(`${enterprises.get(villageId)} ${name}`);
  const of = (id: number) => {
    const found = byId.get(id);
    if (!found) throw new Error(`no fee subject ${id}`);
    return found;
  };
  const find = (villageId: number, subject: string | number) => {
    const enterpriseId = enterprises.get(villageId);
    const found = typeof subject === "number" ? byId.get(subject) : byCode.get(`${enterpriseId} ${subject}`);
    if (!found || found.enterpriseId !== enterpriseId)
      throw invalid({ field: "feeSubjectId", msg: "费用科目不存在" });
    return found;
  };
  return { of, find, named, late: (villageId) => find(villageId, "lateFee") };
}
