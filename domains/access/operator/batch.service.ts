import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { BatchBody, BatchOutcome } from "./batch.contract.ts";
import { checkAdded, noteOperator, setAssignments } from "./edit.service.ts";
import { foundOperator, managed, permitsOfRoles, type Assignment, type Member } from "./grant.service.ts";
import { beyond } from "../role/powers.rules.ts";

type After = Pick<Member, "assignments" | "allVillages" | "villageIds">;
const keyOf = (a: Assignment) => `${a.departmentId}/${a.roleId}`;

function afterOf(before: Member, body: BatchBody, from: Member | undefined): After {
  const { assignments, allVillages, villageIds } = before;
  if (body.kind === "copy") {
    const { assignments: a, allVillages: all, villageIds: v } = from!;
    return { assignments: a, allVillages: all, villageIds: v };
  }
  if (body.kind === "villages") {
    const gone = new Set(body.removeVillages);
    const kept = [...new Set([...villageIds, ...body.addVillages])].filter((id) => !gone.has(id));
    return { assignments, allVillages, villageIds: kept };
  }
  const gone = new Set(body.removeRoles);
  const kept = assignments.filter((a) => !gone.has(a.roleId));
  const known = new Set(kept.map(keyOf));
  return {
    assignments: [...kept, ...body.addRoles.filter((a) => !known.has(keyOf(a)))],
    allVillages,
    villageIds,
  };
}

/** Why a change makes no sense for this person, or nothing. */
function whyNot(before: Member, body: BatchBody, after: After): string | undefined {
  if (before.id === body.fromId) return "与来源员工相同";
  if (before.superType) return "管理员拥有全部权限，无需调整";
  if (body.kind === "villages" && before.allVillages) return "门店范围为全部，请单独编辑";
  if (!after.assignments.length) return "至少保留一个部门和角色";
  if (!after.allVillages && !after.villageIds.length) return "至少保留一个门店";
  return undefined;
}

/** What differs, in words. Names are looked up once for everybody. */
async function wordsFor(act: Act) {
  const [villages, roles, departments, functions] = await Promise.all([
    act.tx.selectFrom("village").select(["id", "name"]).execute(),
    act.tx.selectFrom("role").select(["id", "name"]).execute(),
    act.tx.selectFrom("department").select(["id", "name"]).execute(),
    act.tx
      .selectFrom("functionNode as n")
      .leftJoin("functionNode as p", "p.key", "n.parentKey")
      .select(["n.key", "n.name", "p.name as page"])
      .where("n.level", "=", 3)
      .orderBy("n.orderNum")
      .execute(),
  ]);
  const nameOf = (rows: { id: number; name: string }[]) => new Map(rows.map((r) => [r.id, r.name]));
  const [village, role, department] = [nameOf(villages), nameOf(roles), nameOf(departments)];
  const permits = new Map<string, readonly string[]>();
  const permitsOf = async (of: After) => {
    const ids = [...new Set(of.assignments.map((a) => a.roleId))].toSorted((a, b) => a - b);
    const key = ids.join();
    if (!permits.has(key)) permits.set(key, await permitsOfRoles(act, ids));
    return permits.get(key)!;
  };
  const functionWords = (keys: readonly string[]) => {
    const wanted = new Set(keys);
    const named = functions.filter((f) => wanted.has(f.key)).map((f) => `${f.page ?? ""} ${f.name}`.trim());
    if (!named.length) return [];
    return [`功能${named.length}项：${named.slice(0, 6).join("、")}${named.length > 6 ? " 等" : ""}`];
  };
  return async (from: After, to: After): Promise<string[]> => {
    const known = new Set(from.assignments.map(keyOf));
    return [
      ...to.assignments
        .filter((a) => !known.has(keyOf(a)))
        .map((a) => `角色 ${department.get(a.departmentId)} / ${role.get(a.roleId)}`),
      ...(to.allVillages && !from.allVillages ? ["全部门店"] : []),
      ...beyond(to.allVillages ? [] : to.villageIds, from.allVillages ? to.villageIds : from.villageIds).map(
        (id) => `门店 ${village.get(id) ?? id}`,
      ),
      ...functionWords(beyond(await permitsOf(to), await permitsOf(from))),
    ];
  };
}

/** Works the change out for each person; writes it unless it is only looked at. */
export async function batch(act: Act, body: BatchBody, write: boolean): Promise<BatchOutcome> {
  const from = body.kind === "copy" ? await foundOperator(act, body.fromId!) : undefined;
  const words = await wordsFor(act);
  const outcome: BatchOutcome = [];
  // in one order, so that two batches at once never wait for each other in a circle
  for (const id of [...new Set(body.ids)].toSorted((a, b) => a - b)) {
    const before = await foundOperator(act, id, write);
    const { realName, account } = before;
    const after = afterOf(before, body, from);
    const gains = await words(before, after);
    const loses = await words(after, before);
    let why = whyNot(before, body, after) ?? (gains.length || loses.length ? undefined : "没有变化");
    if (!why)
      try {
        await managed(act, id);
        await checkAdded(act, before, { ...before, ...after });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        why = error.message;
      }
    outcome.push({
      id,
      realName,
      account,
      gains: why ? [] : gains,
      loses: why ? [] : loses,
      why: why ?? null,
    });
    if (why || !write) continue;
    await act.tx
      .updateTable("operator")
      .set({
        allVillages: after.allVillages,
        villageIds: after.allVillages ? [] : [...after.villageIds],
        version: NEXT_VERSION,
        ...stamp(act),
      })
      .where("id", "=", id)
      .execute();
    await setAssignments(act, before, after.assignments);
    await noteOperator(act, before, "调整权限", {
      summary: `调整员工 ${realName}（${account}）的权限`,
      before: { 失去: loses },
      after: { 获得: gains },
    });
  }
  return outcome;
}
