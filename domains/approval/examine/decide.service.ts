import { sql } from "kysely";
import { forbidden, invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Examine, aroundOf, noteMove, readExamine, runOf, saveRun, tellAsked } from "./run.service.ts";
import {
  type Around,
  EXAMINE_STATE,
  type Run,
  approve,
  end,
  reject,
  sendBack,
  transfer,
} from "./engine.rules.ts";
import type { Decide } from "./examine.contract.ts";
import { finish, mayOpen } from "./propose.service.ts";
import { registered } from "./registry.service.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const REASON = "请填写原因（2-200字）";
const REJECTED = "请填写驳回原因";

/** An examine that the operator may see, locked. */
export async function lockExamine(act: Act, id: number): Promise<Examine> {
  const examine = await readExamine(act, id, { lock: true });
  const { rows } = await sql<{
    id: number;
  }>`select e.id from examine e where e.id = ${id} and ${mayOpen(act)}`.execute(act.tx);
  if (!examine || !rows.length) throw notFound();
  return examine;
}

const nameOf = async (read: Pick<Read, "tx">, id: number): Promise<string> =>
  (await aRow(read, "operator", ["realName"], { id }))?.realName ?? "";

/** One decision: the row is locked, so that of two people who press at once one finds it decided. */
export async function decide(act: Act, id: number, body: Decide): Promise<void> {
  const examine = await lockExamine(act, id);
  const run = await runOf(act, examine);
  const { decision, comment } = body;
  // only a task is handed on for somebody else; what is decided and said is one's own
  const by = (decision === "transfer" && body.fromOperatorId) || act.who.operatorId;
  if (decision === "withdraw") await mayWithdraw(act, examine, run);
  else await mustWait(act, examine, run, by);
  asSeen(examine, body.version);
  // who may not see the store any more leaves it to others; the fallback approver is asked within minutes
  const sees =
    act.who.villages.includes(examine.villageId) || act.who.operatorId === examine.processSnapshot.fallbackId;
  if (decision !== "withdraw" && decision !== "transfer" && !sees)
    throw new Refusal("notAllowed", "您已不能查看该门店，请转交给能查看该门店的人员审批");
  if (decision === "reject" && comment.length < 2) throw invalid({ field: "comment", msg: REJECTED });
  if ((decision === "return" || decision === "transfer") && comment.length < 2)
    throw invalid({ field: "comment", msg: REASON });

  const around = await aroundOf(act, examine, examine.processSnapshot, transferred(run));
  const { next, action, said } = await moved(act, examine, run, body, around);
  const people = await saveRun(act, examine, run, next, { by, text: comment });
  await noteMove(
    act,
    examine,
    action,
    [`${examine.title}（${examine.examineNo}）${said}`, comment].filter(Boolean).join("："),
  );
  if (next.state === "approving") await tellAsked(act, examine, people);
  else await finish(act, examine, next.state, comment);
}

/** Whoever an approval was handed to can decide too. */
export const transferred = (run: Run): number[] => run.steps.map((s) => s.operatorId);

async function moved(
  act: Act,
  examine: Examine,
  run: Run,
  body: Decide,
  around: Around,
): Promise<{ next: Run; action: string; said: string }> {
  const me = act.who.operatorId;
  switch (body.decision) {
    case "approve":
      return { next: approve(run, me, around), action: "审批通过", said: at(examine, run.order) };
    case "reject":
      return { next: reject(run, me), action: "审批驳回", said: at(examine, run.order) };
    case "return": {
      if (!body.toOrder) throw invalid({ field: "toOrder", msg: "请选择退回到的节点" });
      return {
        next: sendBack(run, me, body.toOrder, around),
        action: "审批退回",
        said: `退回到${at(examine, body.toOrder)}`,
      };
    }
    case "transfer": {
      const from = body.fromOperatorId ?? me;
      const permits = act.who.permits;
      if (from !== me && !(permits.has("#4901") && act.who.villages.includes(examine.villageId)))
        throw forbidden();
      const to = await takerOf(act, examine, body.toOperatorId);
      return {
        next: transfer(run, from, to.id),
        action: "审批转交",
        said: `${from === me ? "" : `代 ${await nameOf(act, from)} `}转交给 ${to.realName}`,
      };
    }
    case "withdraw":
      return { next: end(run, "withdrawn"), action: "撤回审批", said: "" };
  }
}

const at = (examine: Examine, order: number) => examine.processSnapshot.nodes[order - 1]?.name ?? "";

/** Refuses who is too late, with the name of who was in time. */
async function mustWait(act: Act, examine: Examine, run: Run, operatorId: number): Promise<void> {
  const mine = run.steps.filter((s) => s.operatorId === operatorId);
  if (examine.state === "approving" && mine.some((s) => s.state === "waiting")) return;
  const last = mine.at(-1);
  if (!last) throw new Refusal("notAllowed", "该审批当前不由您处理");
  if (examine.state === "withdrawn") throw new Refusal("notAllowed", "该审批已撤回");
  const decided = run.steps.find(
    (s) => s.round === last.round && s.order === last.order && !["skipped", "waiting"].includes(s.state),
  );
  if (decided) throw new Refusal("decided", `该审批已由 ${await nameOf(act, decided.operatorId)} 处理`);
  throw new Refusal("notAllowed", `当前状态为“${EXAMINE_STATE[examine.state][0]}”，不能处理`);
}

async function mayWithdraw(act: Act, examine: Examine, run: Run): Promise<void> {
  if (examine.submitterId !== act.who.operatorId) throw new Refusal("notAllowed", "只有提交人可以撤回", 403);
  if (run.state !== "approving")
    throw new Refusal("notAllowed", `当前状态为“${EXAMINE_STATE[examine.state][0]}”，不能撤回`);
}

/** Whom it is handed to: somebody who can sign in, sees the village and may open the record. */
async function takerOf(
  act: Act,
  examine: Examine,
  operatorId: number | undefined,
): Promise<{ id: number; realName: string }> {
  if (!operatorId) throw invalid({ field: "toOperatorId", msg: "请选择转交的人员" });
  const { rows } = await sql<{ id: number; realName: string }>`
    select o.id, o.real_name "realName" from operator o
    where o.id = ${operatorId} and o.state = 'active' and o.id <> ${examine.submitterId}
      and (o.super_type = '0' or o.enterprise_id = ${examine.enterpriseId})
      and (o.super_type <> '' or o.all_villages or o.village_ids @> ${[examine.villageId]}::bigint[])
      and (o.super_type <> '' or exists (select from operator_assignment a join role_function f on f.role_id = a.role_id
        where a.operator_id = o.id and f.key = ${registered(examine.moduleType).permit}))`.execute(act.tx);
  if (!rows[0])
    throw invalid({
      field: "toOperatorId",
      msg: "请选择在职、可查看该门店且有该页面权限的人员，不能是提交人",
    });
  return rows[0];
}
