import { contractNote } from "./record.queries.ts";
import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { demand } from "./contract.queries.ts";
import { type State, whyNotKeeper } from "./contract.rules.ts";
import { type ContractKind } from "../terms/kind.rules.ts";
import { signers } from "./facts.queries.ts";
import { changeKeeper } from "./contract.contract.ts";

type Kept = {
  id: number;
  contractNo: string;
  partyName: string;
  kind: ContractKind;
  state: State;
  villageId: number;
  villageName: string;
  enterpriseId: number;
  managerId: number | null;
  before: string | null;
};

/** Contracts in scope, locked in the order of their ids. */
async function locked(act: Act, ids: readonly number[]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select c.id, c.contract_no "contractNo", c.party_name "partyName", c.kind, c.state, c.village_id "villageId",
      v.name "villageName", c.enterprise_id "enterpriseId", c.manager_operator_id "managerId", o.real_name before
    from contract c join village v on v.id = c.village_id left join operator o on o.id = c.manager_operator_id
    where c.id = ${anyOf(ids)} and c.village_id = ${anyOf(act.who.villages)}
    order by c.id for no key update of c`.execute(act.tx);
  if (rows.length < new Set(ids).size) throw notFound();
  return rows;
}

export default [
  serve(changeKeeper, async (act, { body }) => {
    const contracts = await locked(act, body.ids);
    for (const kind of new Set(contracts.map((c) => c.kind))) demand(act.who, kind, changeKeeper.needs);
    const { rows } = await sql<{ name: string }>`
      select real_name name from operator
      where id = ${body.managerId} and enterprise_id = ${contracts[0]!.enterpriseId} and state <> 'disabled'`.execute(
      act.tx,
    );
    const keeper = rows[0];
    if (!keeper) throw invalid({ field: "managerId", msg: "该员工不存在或已停用" });
    const staff = new Map<number, Set<number>>();
    for (const { villageId, enterpriseId } of contracts)
      if (!staff.has(villageId))
        staff.set(villageId, new Set((await signers(act, enterpriseId, villageId)).map((s) => s.operatorId)));
    const answered = contracts.map((contract) => ({
      contract,
      refusal:
        whyNotKeeper(contract.state) ??
        (contract.managerId === body.managerId
          ? `管家已经是${keeper.name}`
          : staff.get(contract.villageId)!.has(body.managerId)
            ? null
            : `${keeper.name}不在${contract.villageName}任职`),
    }));
    const done = answered.filter((a) => !a.refusal).map((a) => a.contract);
    await act.tx
      .updateTable("contract")
      .set({ managerOperatorId: body.managerId, ...stamp(act), version: NEXT_VERSION })
      .where("id", "=", anyOf(done.map((c) => c.id)))
      .execute();
    await act.note(
      done.map((contract) =>
        contractNote(contract, "换管家", `管家 ${contract.before ?? "未指定"} → ${keeper.name}`),
      ),
    );
    return {
      changed: done.length,
      rows: answered.map(({ contract: { id, contractNo, partyName, before }, refusal }) => ({
        id,
        contractNo,
        partyName,
        before: before ?? "",
        refusal,
      })),
    };
  }),
];
