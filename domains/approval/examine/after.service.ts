import { hoursText } from "../../../platform/kernel/duration.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { registered } from "./registry.service.ts";
import type { Examine } from "./run.service.ts";
import type { ExamineState } from "./engine.rules.ts";

const factsOf = (examine: Examine): (readonly [string, string])[] => [
  ["审批单号", examine.examineNo],
  ...(examine.amount === null ? [] : [["金额", `${yuan(examine.amount)} 元`] as const]),
  ...examine.keyFacts,
];
const about = (examine: Examine) => ({
  type: 1 as const,
  bizType: "approval",
  bizId: examine.id,
  villageId: examine.villageId,
  facts: factsOf(examine),
});

/** The people of a node that has just been opened. */
export const tellAsked = (act: Act, examine: Examine, to: readonly number[]) =>
  tell(act, { ...about(examine), to, title: `待审批：${examine.title}`, content: examine.reason });

export const tellReminder = (
  act: Act,
  examine: Examine,
  to: readonly number[],
  hours: number,
  once: string,
) =>
  tell(act, {
    ...about(examine),
    to,
    once,
    title: `审批催办：${examine.title}`,
    content: `该审批已等待您处理 ${hoursText(hours)}`,
  });

const ENDED: Partial<Record<ExamineState, string>> = {
  approved: "审批已通过",
  rejected: "审批被驳回",
  void: "审批已作废",
};

/** The submitter at the end; who withdrew it needs not be told. */
export async function tellEnded(act: Act, examine: Examine, state: ExamineState, why: string): Promise<void> {
  const said = ENDED[state];
  if (said)
    await tell(act, {
      ...about(examine),
      to: [examine.submitterId],
      title: `${said}：${examine.title}`,
      content: why,
    });
}

/** Every move stands on the timeline of the record and on that of the examine. */
export async function noteMove(act: Act, examine: Examine, action: string, summary: string): Promise<void> {
  const said = { villageId: examine.villageId, action, summary };
  await act.note([
    {
      ...said,
      kind: examine.targetKind,
      recordId: examine.targetId,
      number: examine.targetNo,
      examineId: examine.id,
    },
    { ...said, kind: "approval", recordId: examine.id, number: examine.examineNo },
  ]);
}

/** Does what was approved, exactly as it was seen; refused when something has changed since. */
export async function takeEffect(act: Act, examine: Examine): Promise<void> {
  const owner = registered(examine.moduleType);
  const wanted = { id: examine.targetId, payload: examine.payload, reason: examine.reason };
  const now = await owner.outlook(act, wanted);
  if (now.hash !== examine.previewHash)
    throw new Refusal("previewChanged", "提交审批后内容已变化，不能通过，请驳回后由提交人重新提交");
  // whatever the act writes down names the approval that it came of
  const note: Act["note"] = (entries) =>
    act.note([entries].flat().map((entry) => ({ examineId: examine.id, ...entry })));
  await owner.effect({ ...act, note }, wanted);
}
