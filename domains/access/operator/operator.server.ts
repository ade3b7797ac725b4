import { maskPhone } from "../../../platform/kernel/mask.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { changeBatch, previewBatch } from "./batch.contract.ts";
import { batch } from "./batch.service.ts";
import {
  disable,
  enable,
  forgetFactor,
  reset,
  takeAway,
  updateOperator,
  verify,
  view,
} from "./edit.service.ts";
import { explainOperator } from "./explain.contract.ts";
import { explain } from "./explain.queries.ts";
import {
  addOperator,
  disableOperator,
  editOperator,
  enableOperator,
  getOperator,
  listHolders,
  listManagers,
  listSigners,
  operatorExport,
  removeAssignment,
  resetPassword,
  resetSecondFactor,
  unlockOperator,
  updateVerify,
  viewAs,
} from "./operator.contract.ts";
import { holders, operatorDetail, operators } from "./operator.queries.ts";
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
  serveRead(getOperator, (read, { params }) => operatorDetail(read, params.id)),

  serve(editOperator, async (act, { params, body }) => {
    await updateOperator(act, params.id, body);
    return { id: params.id };
  }),
  serve(removeAssignment, async (act, { params: { id, roleId, depid } }) => ({
    id,
    state: (await takeAway(act, id, roleId, depid)) as "active",
  })),
  serve(enableOperator, async (act, { params, body }) => {
    await enable(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(disableOperator, async (act, { params, body }) => {
    await disable(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(resetPassword, async (act, { params, body }) => {
    const password = await reset(act, params.id, body.version);
    const { account } = await act.tx
      .selectFrom("operator")
      .select("account")
      .where("id", "=", params.id)
      .executeTakeFirstOrThrow();
    return { id: params.id, account, password };
  }),
  serve(resetSecondFactor, async (act, { params, body }) => {
    await forgetFactor(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(updateVerify, async (act, { body }) => {
    await verify(act, body.id, body.version, body.verified);
    return { id: body.id };
  }),
  serve(viewAs, async (act, { params }) => {
    const { operator, token, until } = await view(act, params.id);
    const { realName, phone, superType } = operator;
    return { id: params.id, token, until, realName, phone: maskPhone(phone), superType };
  }),
  serveRead(explainOperator, (read, { params, query }) => explain(read, params.id, query)),
  serve(previewBatch, (act, { body }) => batch(act, body, false)),
  serve(changeBatch, (act, { body }) => batch(act, body, true)),
];
