import type { Selectable } from "kysely";
import type { Operator } from "../../../db/types.gen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { opened } from "../function/function.rules.ts";
import { permitsOfOperator } from "./permits.queries.ts";
import { openSession } from "./session.service.ts";

/** A fresh session of somebody who has proved who they are, and what the browser is told about it. */
export async function entered(act: Act, operator: Selectable<Operator>, byIssuer = false) {
  const token = await openSession(act, operator.id, byIssuer);
  const { menus, pages, authorities } = opened(await permitsOfOperator(act.tx, operator));
  return {
    id: operator.id,
    operatorId: operator.id,
    token,
    realName: operator.realName,
    phone: operator.phone,
    superType: operator.superType,
    mustChangePassword: operator.mustChangePassword,
    firstFuncList: menus.map((id) => ({ id })),
    secFuncList: pages.map((id) => ({ id })),
    authorityList: authorities,
  };
}
