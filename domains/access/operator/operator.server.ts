import { maskPhone } from "../../../platform/kernel/mask.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addOperator,
  listHolders,
  listManagers,
  listSigners,
  operatorExport,
  unlockOperator,
} from "./operator.contract.ts";
import { holders, operators } from "./operator.queries.ts";
import { createOperator, unlock } from "./operator.service.ts";

const CONTRACTS = ["9.add", "11.add", "107.add"] as const;
const masked = <R extends { phone: string }>(row: R) => ({ ...row, phone: maskPhone(row.phone) });

export default [
  serveList(operators),
  exportList(operatorExport),

  serveRead(listHolders, async (read, { query }) => {
    const villageId = query.villageId && inScope(read.who, query.villageId);
    return (await holders(read, [query.permit as "9.get"], villageId).execute()).map(masked);
  }),

  serveRead(listSigners, async (read, { query }) =>
    // who signs for the house has shown who they are
    (
      await holders(read, CONTRACTS, inScope(read.who, query.villageId))
        .where("o.verified", "=", true)
        .execute()
    ).map(masked),
  ),

  serveRead(listManagers, async (read, { query }) => {
    const villageId = inScope(read.who, query.villageId);
    const village = await read.tx
      .selectFrom("village")
      .select("managerId")
      .where("id", "=", villageId)
      .executeTakeFirst();
    const rows = await holders(read, undefined, villageId).execute();
    return rows.map((row) => ({ ...masked(row), manages: row.id === village?.managerId }));
  }),

  serve(addOperator, async (act, { body }) => ({
    id: await createOperator(act, { ...body, enterpriseId: act.who.enterpriseId, mustChangePassword: true }),
  })),

  serve(unlockOperator, async (act, { params }) => {
    await unlock(act, params.id);
    return null;
  }),
];
