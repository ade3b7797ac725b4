import type { Day } from "../../../platform/kernel/day.ts";
import { halfUp, ratio, times, type Fen } from "../../../platform/kernel/fen.ts";
import { expandSteps, rentsOver, type RentFrom } from "../schedule/steps.rules.ts";
import type { RentStep, ScheduleInput } from "../schedule/terms.rules.ts";
import { firstOf, staleSteps } from "../terms/check.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { isRuled, scheduleOf, termsOf } from "../terms/terms.rules.ts";

type Step = ContractForm["steps"][number];
type Area = (roomId: number) => string | null;

/** The schedule that the form stands for; undefined until rooms and days are known. */
export function inputOf(form: ContractForm, area: Area): ScheduleInput | undefined {
  const { start, end, rooms } = form;
  if (!start || !end || end < start || !rooms.length) return undefined;
  // while a rent is being typed, there is nothing to show
  if (rooms.some((r) => !Number.isSafeInteger(r.monthlyRent))) return undefined;
  const priced = rooms.map((r) => ({ ...r, unitPrice: r.unitPrice ?? null, area: area(r.roomId) }));
  return scheduleOf({ start, end, terms: termsOf(form), rooms: priced });
}

/** A line of the table: what changes the rent of one room, or of all, from a day on. */
export type RiseRow = Pick<RentStep, "fromDate" | "mode" | "value" | "source"> & {
  /** Place among the form's own rows; undefined when the rule makes it. */
  at?: number;
  roomId: number | null;
  before: Fen;
  rent: Fen;
};

/** The rents one below the other, as they will be billed: rows of the rule and those set by hand. */
export function riseRows(form: ContractForm, input: ScheduleInput): RiseRow[] {
  const rents = rentsOver(input);
  const alone = input.rooms.length === 1;
  const byHand = new Set(form.steps.flatMap((s) => (s.source === "manual" ? [s.fromDate] : [])));
  return input.steps
    .map((step, i): RiseRow => {
      const at = i < form.steps.length ? { at: i } : {};
      const roomId = alone ? null : (step.roomId ?? null);
      const k = input.rooms.findIndex((r) => r.roomId === roomId);
      const of = (found: RentFrom | undefined) => (k < 0 ? found?.rent : found?.rooms[k]) ?? 0;
      return {
        ...at,
        roomId,
        fromDate: step.fromDate,
        mode: step.mode,
        value: step.value,
        source: step.source,
        before: of(rents.findLast((r) => r.fromDate < step.fromDate) ?? rents[0]),
        rent: of(rents.findLast((r) => r.fromDate <= step.fromDate)),
      };
    })
    .filter((row) => !(alone && row.source === "rule" && byHand.has(row.fromDate)))
    .toSorted((a, b) =>
      a.fromDate === b.fromDate
        ? Number(b.roomId === null) - Number(a.roomId === null)
        : a.fromDate < b.fromDate
          ? -1
          : 1,
    );
}

/** A rent set by hand, with the first rent it was set beside. */
export const byHand = (input: ScheduleInput, fromDate: Day, roomId: number | null, rent: Fen): Step => ({
  ...(roomId !== null && { roomId }),
  fromDate,
  mode: "table",
  value: String(rent),
  resultRent: rent,
  source: "manual",
  firstRent: firstOf(input, roomId),
});

/** The rows that were written out for another rent or term than the form now has, in a contract from before rules were kept. */
export function outdatedRows(form: ContractForm, input: ScheduleInput): boolean {
  if (!form.stepRule || isRuled(form)) return false;
  const manual = form.steps.filter((s) => s.source === "manual");
  const made = [[], manual].map((rows) => expandSteps(input, form.stepRule!, rows));
  return !made.some((rows) =>
    form.steps.every(
      (s) =>
        s.source === "manual" || rows.some((r) => r.fromDate === s.fromDate && r.resultRent === s.resultRent),
    ),
  );
}

/** The answer to a changed rent: what was set by hand stays as it is … */
export const keptSteps = (form: ContractForm, input: ScheduleInput): Partial<ContractForm> =>
  outdatedRows(form, input)
    ? { stepRule: null }
    : {
        steps: form.steps.map((s) =>
          "firstRent" in s ? { ...s, firstRent: firstOf(input, s.roomId ?? null) } : s,
        ),
      };

/** … or is reckoned anew: by the rule where it has a row that day, else in the same proportion to the first rent. */
export function recomputedSteps(form: ContractForm, input: ScheduleInput): Partial<ContractForm> {
  if (outdatedRows(form, input)) return { steps: form.steps.filter((s) => s.source === "manual") };
  const ruled = new Set(input.steps.slice(form.steps.length).map((s) => s.fromDate));
  const stale = new Set(staleSteps(form.steps, input));
  const steps = form.steps.flatMap((s, i): Step[] => {
    if (!stale.has(i)) return [s];
    if (ruled.has(s.fromDate)) return [];
    const now = firstOf(input, s.roomId ?? null);
    const rent = s.firstRent ? halfUp(times(ratio(s.resultRent), ratio(now, s.firstRent))) : s.resultRent;
    return [byHand(input, s.fromDate, s.roomId ?? null, rent)];
  });
  return { steps };
}

/** The rule's rows as rows of the form's own, each to be moved, changed or removed by itself. */
export const looseSteps = (input: ScheduleInput): Partial<ContractForm> => {
  const alone = input.rooms.length === 1;
  const own = new Set(
    input.steps.flatMap((s) => (s.source === "manual" && (alone || s.roomId == null) ? [s.fromDate] : [])),
  );
  return {
    stepRule: null,
    steps: input.steps.flatMap((s): Step[] => {
      if (s.source === "manual") return [s];
      if (own.has(s.fromDate)) return [];
      return alone ? [byHand(input, s.fromDate, null, s.resultRent)] : [{ ...s, source: "manual" }];
    }),
  };
};
