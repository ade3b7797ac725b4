import type { Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

/** Every permit of an operator who is just signing in and has no session yet. */
export async function permitsOfOperator(
  tx: Kysely<DB>,
  operator: { id: number; superType: string },
): Promise<ReadonlySet<string>> {
  const rows = operator.superType
    ? await tx.selectFrom("functionOpen").select("key").execute()
    : await tx
        .selectFrom("operatorAssignment as a")
        .innerJoin("roleFunction as f", "f.roleId", "a.roleId")
        .innerJoin("functionOpen as n", "n.key", "f.key")
        .select("f.key")
        .distinct()
        .where("a.operatorId", "=", operator.id)
        .execute();
  return new Set(rows.map((r) => r.key!));
}
