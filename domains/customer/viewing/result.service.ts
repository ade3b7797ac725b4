import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { leadViewed } from "../lead/step.service.ts";
import { bestOf, resultsText, type Result, type RoomResult } from "./result.rules.ts";
import { VIEWING_MOVES } from "./viewing.rules.ts";
import { change, lockViewing, noteViewing, type Viewing } from "./viewing.service.ts";

type Seeing = {
  version: number;
  result?: Result | null | undefined;
  results: { roomId: number; result?: Result | null | undefined; feedback: string }[];
  feedback: string;
};

/** Of the rooms of an appointment those that were seen, each once; one at least. */
function seenOf(v: Viewing, results: Seeing["results"]): RoomResult[] {
  const wrong = (msg: string) => invalid({ field: "results", msg });
  if (results.some((r) => !v.roomIds.includes(r.roomId))) throw wrong("只能评价预约的房间");
  if (new Set(results.map((r) => r.roomId)).size < results.length) throw wrong("同一间房只能评价一次");
  if (results.some((r) => !r.result && r.feedback)) throw wrong("填写了反馈的房间请选择结果");
  const seen = results.flatMap(({ result, ...r }) => (result ? [{ ...r, result }] : []));
  if (v.roomIds.length && !seen.length) throw wrong("请至少选择一间房的结果");
  return seen;
}

/** What the customer thought of each room that was shown; the first viewing moves the lead on. */
export async function finish(act: Act, id: number, said: Seeing): Promise<void> {
  const v = await lockViewing(act, id, said.version);
  const state = VIEWING_MOVES.next("view", v);
  if (new Date(v.at) > act.now) throw new Refusal("notAllowed", "还未到看房时间，可先改期");
  const seen = seenOf(v, said.results);
  const result = bestOf(seen) ?? said.result;
  if (!result) throw invalid({ field: "result", msg: "请选择结果" });
  await change(act, v, {
    state,
    result,
    results: JSON.stringify(seen),
    feedback: said.feedback,
    viewedAt: act.now,
  });
  await leadViewed(act, v.leadId);
  const names = await roomNames(act, v.roomIds);
  const rooms = resultsText(seen.map((r) => ({ ...r, name: names.get(r.roomId) ?? "" })));
  const summary = [`看房完成：${result}`, rooms, said.feedback].filter(Boolean).join("，");
  await noteViewing(act, v, "看房完成", summary, "viewing");
}

async function roomNames(act: Act, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await act.tx
    .selectFrom("room")
    .select(["id", "fullName"])
    .where("id", "=", anyOf(ids))
    .execute();
  return new Map(rows.map((room) => [room.id, room.fullName]));
}
