import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { nobody, type Who } from "../../../platform/server/pipeline/act.ts";
import { permitsOfOperator } from "../session/permits.queries.ts";

/** The person for whom a job goes on working after their call has been answered, with the scope of this moment. */
export async function whoActs(db: Kysely<DB>, operatorId: number): Promise<Who> {
  const operator = await db
    .selectFrom("operator")
    .select(["id", "realName", "phone", "enterpriseId", "superType", "allVillages", "villageIds"])
    .where("id", "=", operatorId)
    .executeTakeFirstOrThrow();
  const all = operator.superType !== "" || operator.allVillages;
  const { rows } = await sql<{ id: number }>`
    select id from village where ${operator.superType === "0"} or enterprise_id = ${operator.enterpriseId} order by id`.execute(
    db,
  );
  return {
    ...nobody,
    operatorId,
    name: operator.realName,
    phone: operator.phone,
    enterpriseId: operator.enterpriseId,
    superType: operator.superType,
    villages: all ? rows.map((row) => row.id) : operator.villageIds,
    permits: await permitsOfOperator(db, operator),
  };
}
