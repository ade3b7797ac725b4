import { maskPhone } from "../../../platform/kernel/mask.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { updateOperator } from "./edit.service.ts";
import {
  disableOperator,
  editOperator,
  enableOperator,
  getOperator,
  removeAssignment,
  resetPassword,
  resetSecondFactor,
  updateVerify,
  viewAs,
} from "./people.contract.ts";
import { operatorDetail } from "./people.queries.ts";
import { disable, enable, forgetFactor, reset, takeAway, verify, view } from "./state.service.ts";

export default [
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
];
