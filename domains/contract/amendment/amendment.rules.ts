import { type Day, addDays, addMonths, dayNumber, minDay } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import type { Changed, HeldRoom } from "../recut/joining.rules.ts";
import { expandSteps, roomPrices, steppedRent } from "../schedule/steps.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { payerErrors, scheduleErrors } from "../terms/check.rules.ts";
import { CLAWBACK_WORDS, DUE_WORDS, PENALTY_WORDS, type Terms } from "../terms/terms.contract.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { isRuled, scheduleOf } from "../terms/terms.rules.ts";
import { type AmendDraft, LEAVE_DAY } from "./amendment.contract.ts";

/** The end may be put off by a year; longer is a renewal. */
export const LONGER_MONTHS = 12;

type Held = {
  kind: ContractKind;
  terms: Terms;
  rooms: HeldRoom[];
  anchorDate: Day | null;
  start: Day;
  end: Day;
};

/** The fields that are taken over as they are. */
const PLAIN = [
  "graceDays",
  "lateFeeDailyRate",
  "lateFeeCapPercent",
  "noticeDays",
  "penaltyRule",
  "penaltyMonths",
  "penaltyPercent",
  "penaltyCapMonths",
  "rentFreeClawback",
  "holdoverPercent",
] as const satisfies readonly (keyof AmendDraft & keyof Terms)[];

/** Fields whose change gives open bills other due days or late-fee terms. */
export const isRetermed = (draft: AmendDraft): boolean =>
  [draft.dueRule, draft.graceDays, draft.lateFeeDailyRate, draft.lateFeeCapPercent].some((v) => v != null);

/** What is wrong with the days of an amendment, or nothing. */
export function amendErrors(
  { effectiveOn, end, rises, free }: AmendDraft,
  { start, end: until }: { start: Day; end: Day },
  today: Day,
): FieldError | undefined {
  const last = end ?? until;
  if (effectiveOn <= start) return { field: "effectiveOn", msg: `生效日须晚于起租日 ${start}` };
  if (effectiveOn > (last > until ? last : until))
    return { field: "effectiveOn", msg: `生效日不能晚于到期日 ${until}` };
  if (end && end < effectiveOn) return { field: "end", msg: "新到期日不能早于生效日" };
  if (end && end < today) return { field: "end", msg: "新到期日不能早于今天，请办理退房" };
  if (end && end > addMonths(until, LONGER_MONTHS))
    return { field: "end", msg: `延长超过${LONGER_MONTHS}个月请办理续租` };
  const early = rises.findIndex((r) => r.fromDate < effectiveOn);
  if (early >= 0) return { field: `rises.${early}.fromDate`, msg: "调价日期不能早于生效日" };
  const twice = rises.findIndex((r, i) =>
    rises.slice(0, i).some((o) => o.fromDate === r.fromDate && (o.roomId ?? 0) === (r.roomId ?? 0)),
  );
  if (twice >= 0) return { field: `rises.${twice}.fromDate`, msg: "同一天只能有一次调价" };
  const soon = free.findIndex((r) => r.fromDate < effectiveOn);
  if (soon >= 0) return { field: `free.${soon}.fromDate`, msg: "免租期不能早于生效日" };
  return undefined;
}

/** The contract with what is agreed anew. */
export function amended(held: Held, draft: AmendDraft, nameOf: (feeId: number) => string): Changed {
  const { effectiveOn: from } = draft;
  const end = draft.end ?? held.end;
  const terms: Terms = { ...held.terms, ...stepsFrom(held, draft, end), ...dueOf(held.terms, draft) };
  for (const key of PLAIN) if (draft[key] != null) Object.assign(terms, { [key]: draft[key] });
  if (draft.leaveDayCharged) terms.leaveDayCharged = draft.leaveDayCharged === "charged";
  terms.rentFree = [
    ...terms.rentFree.flatMap((r) => (r.fromDate > end ? [] : [{ ...r, toDate: minDay(r.toDate, end) }])),
    ...draft.free,
  ];
  const dayBefore = addDays(from, -1);
  const within = held.terms.fees.flatMap((fee): Terms["fees"] => {
    if (fee.fromDate && fee.fromDate > end) return [];
    const cut = fee.toDate && fee.toDate > end ? { ...fee, toDate: end } : fee;
    if (!draft.endFees.includes(fee.feeId) || fee.kind !== "recurring") return [cut];
    if ((fee.fromDate ?? held.start) >= from) return [];
    return [fee.toDate && fee.toDate < from ? fee : { ...fee, toDate: dayBefore }];
  });
  terms.fees = [
    ...within,
    ...draft.fees.map(({ feeId, kind, amount, payer, toDate }) => ({
      feeId,
      kind,
      amount,
      name: nameOf(feeId),
      fromDate: from,
      ...(payer && { payer }),
      ...(toDate && { toDate }),
    })),
  ];
  return { terms, rooms: held.rooms, end };
}

function dueOf(terms: Terms, { dueRule, dueDays, dueDay, dueMonthOffset }: AmendDraft): Partial<Terms> {
  if (!dueRule) return {};
  const { firstDueDays } = terms.due;
  return {
    due: {
      rule: dueRule,
      ...(firstDueDays !== undefined && { firstDueDays }),
      ...(dueRule === "advance" && { dueDays: dueDays ?? 0 }),
      ...(dueRule === "fixedDay" && {
        dueDay: dueDay ?? 1,
        dueMonthOffset: (dueMonthOffset ?? 0) as -1 | 0 | 1,
      }),
    },
  };
}

/** The steps after the change: those of before, as far as they go on, and the new ones with the rent they lead to. */
function stepsFrom(
  held: Held,
  { effectiveOn, rises, keepRise }: AmendDraft,
  end: Day,
): Pick<Terms, "steps" | "stepRule"> {
  const { terms } = held;
  const input = scheduleOf({ ...held, end });
  const ruled = isRuled(terms);
  const wasRuled = ruled
    ? expandSteps(input, terms.stepRule, terms.steps).map((s) => ({ ...s, roomId: s.roomId ?? null }))
    : [];
  const before = keepRise
    ? terms.steps
    : [...terms.steps, ...wasRuled].filter((s) => s.fromDate < effectiveOn);
  const stepRule = keepRise ? (terms.stepRule ?? null) : null;
  let steps: Terms["steps"] = before.filter((s) => s.fromDate <= end);
  for (const { roomId: asked, fromDate, rent, percent } of rises.toSorted((a, b) =>
    a.fromDate < b.fromDate ? -1 : 1,
  )) {
    // more rooms may join a company's contract: a rent is that of its room
    const roomId =
      asked ?? (held.rooms.length === 1 && held.kind === "company" ? held.rooms[0]!.roomId : null);
    const rooms = held.rooms.filter((r) => roomId === null || r.roomId === roomId);
    const now = scheduleOf({ ...held, end, terms: { ...terms, steps, stepRule } });
    const mode = rent ? ("table" as const) : ("percentCompound" as const);
    const value = rent ? String(rent) : percent!;
    const resultRent = rooms.reduce(
      (sum, r) =>
        sum + steppedRent({ mode, value }, rentBefore(now, r.roomId, fromDate), 0, terms.rentRounding),
      0,
    );
    steps = [
      ...steps.filter(
        (s) => !(s.source === "manual" && s.fromDate === fromDate && (s.roomId ?? null) === roomId),
      ),
      { ...(roomId !== null && { roomId }), fromDate, mode, value, resultRent, source: "manual" },
    ];
  }
  return { steps, stepRule };
}

/** The rent of a room on the day before. */
function rentBefore(input: ScheduleInput, roomId: number, day: Day): Fen {
  const prices = roomPrices(
    input,
    input.rooms.find((r) => r.roomId === roomId)!,
  );
  return (prices.findLast((p) => p.from < dayNumber(day)) ?? prices[0]!).price;
}

/** What cannot be billed of the new terms, under the names of the amendment's form. */
export function termsErrors(held: Held, next: Changed, draft: AmendDraft): FieldError[] {
  const input = scheduleOf({ ...held, ...next });
  const strange = draft.rises.findIndex(
    ({ roomId, fromDate }) =>
      roomId && !held.rooms.some((r) => r.roomId === roomId && (!r.leaveDate || r.leaveDate >= fromDate)),
  );
  if (strange >= 0) return [{ field: `rises.${strange}.roomId`, msg: "房间不在合同内" }];
  const running = held.terms.fees.filter(
    (fee) => fee.kind === "recurring" && (!fee.toDate || fee.toDate >= draft.effectiveOn),
  );
  if (draft.endFees.some((id) => !running.some((fee) => fee.feeId === id)))
    return [{ field: "endFees", msg: "请选择合同内正在收取的费用" }];
  const several = draft.rises.findIndex((r) => r.rent && !r.roomId && held.rooms.length > 1);
  if (several >= 0) return [{ field: `rises.${several}.roomId`, msg: "请选择房间，或按比例调整全部房间" }];
  const unpaid = payerErrors(
    held.kind,
    draft.fees.map(({ kind, payer }) => ({ kind, ...(payer && { payer }) })),
  );
  if (unpaid.length) return unpaid;
  const started = next.terms.steps.length - draft.rises.length;
  const free = next.terms.rentFree.length - draft.free.length;
  const fees = next.terms.fees.length - draft.fees.length;
  return scheduleErrors(next.terms, input).map(({ field, msg }) => {
    const [list, at, key = ""] = field.split(".");
    const i = Number(at);
    if (list === "steps" && i >= started)
      return { field: `rises.${i - started}.${key === "fromDate" ? key : "rent"}`, msg };
    if (list === "rentFree" && i >= free) return { field: `free.${i - free}.${key}`, msg };
    if (list === "fees" && i >= fees) return { field: `fees.${i - fees}.${key}`, msg };
    return { field: list === "end" || list === "rooms" ? "end" : "effectiveOn", msg };
  });
}

/** What is agreed anew, sentence by sentence: on the supplement, for approvers, and on the act itself. */
export function amendClauses(held: Held, draft: AmendDraft, nameOf: (feeId: number) => string): string[] {
  const { effectiveOn, rises, free, fees, endFees, end } = draft;
  const roomOf = (id: number | null | undefined) =>
    id ? (held.rooms.find((r) => r.roomId === id)?.name ?? "") : held.rooms.length > 1 ? "各房间" : "";
  const t = held.terms;
  const now = { ...t, ...dueOf(t, draft) };
  const said = (key: (typeof PLAIN)[number], text: string) => (draft[key] != null ? [text] : []);
  return [
    ...rises.map((r) =>
      r.rent
        ? `自 ${r.fromDate} 起，${roomOf(r.roomId)}月租金为 ${yuan(r.rent)} 元`
        : `自 ${r.fromDate} 起，${roomOf(r.roomId)}月租金${r.percent!.startsWith("-") ? "下调" : "上调"} ${r.percent!.replace("-", "")}%`,
    ),
    ...(draft.keepRise ? [] : [`自 ${effectiveOn} 起，原约定的租金递增不再执行`]),
    ...(end ? [`租期由 ${held.start} 至 ${held.end} 变更为 ${held.start} 至 ${end}`] : []),
    ...free.map((r) => `${r.fromDate} 至 ${r.toDate} 免收租金`),
    ...fees.map(({ feeId, kind, amount, payer, toDate }) => {
      const days = `自 ${effectiveOn} 起${toDate ? `至 ${toDate}` : ""}`;
      return payer === "occupant"
        ? `${days}，${nameOf(feeId)}每间房每月 ${yuan(amount)} 元，由实际入住人按入住天数分摊支付`
        : `${days}，${kind === "once" ? "一次性收取" : "每月收取"}${nameOf(feeId)} ${yuan(amount)} 元`;
    }),
    ...endFees.map((id) => `自 ${effectiveOn} 起停收${nameOf(id)}`),
    ...(draft.dueRule ? [`应收日改为${dueText(now.due)}`] : []),
    ...said("graceDays", `宽限期 ${draft.graceDays} 天`),
    ...said("lateFeeDailyRate", `滞纳金每天 ${draft.lateFeeDailyRate}%`),
    ...said("lateFeeCapPercent", `滞纳金最高为本金的 ${draft.lateFeeCapPercent}%`),
    ...said("noticeDays", `退房须提前 ${draft.noticeDays} 天通知`),
    ...(draft.leaveDayCharged ? [`退房当日${LEAVE_DAY[draft.leaveDayCharged][0]}`] : []),
    ...(draft.penaltyRule ? [`违约金：${PENALTY_WORDS[draft.penaltyRule][0]}`] : []),
    ...said("penaltyMonths", `违约金月数 ${draft.penaltyMonths}`),
    ...said("penaltyPercent", `违约金为剩余租金的 ${draft.penaltyPercent}%`),
    ...said("penaltyCapMonths", `违约金封顶 ${draft.penaltyCapMonths} 个月租金`),
    ...(draft.rentFreeClawback ? [`免租追回：${CLAWBACK_WORDS[draft.rentFreeClawback][0]}`] : []),
    ...said("holdoverPercent", `到期占用费为月租金的 ${draft.holdoverPercent}%`),
  ];
}

const OFFSET = { "-1": "上月", 0: "当月", 1: "次月" } as const;
const dueText = ({ rule, dueDays, dueDay, dueMonthOffset }: Terms["due"]): string =>
  rule === "advance"
    ? `计费期开始前 ${dueDays ?? 0} 天`
    : rule === "fixedDay"
      ? `${OFFSET[dueMonthOffset ?? 0]} ${dueDay ?? 1} 日`
      : DUE_WORDS.signing[0];
