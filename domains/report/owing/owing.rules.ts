import { greys } from "../../../platform/kernel/words.ts";
import { addDays, addToMonth, daysBetween, lastOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";

/** Ageing by days past the due day. */
export const AGES = [
  { key: "d30", words: "1-30 天", from: 1, to: 30 },
  { key: "d60", words: "31-60 天", from: 31, to: 60 },
  { key: "d90", words: "61-90 天", from: 61, to: 90 },
  { key: "d180", words: "91-180 天", from: 91, to: 180 },
  { key: "d365", words: "181-365 天", from: 181, to: 365 },
  { key: "over", words: "365 天以上", from: 366, to: 100_000 },
] as const;
export type Age = (typeof AGES)[number]["key"];
export const AGE_WORDS = Object.fromEntries(
  AGES.map((a) => [a.key, [a.words, "grey"]]),
) as unknown as Words<Age>;
export type Buckets = Record<Age | "owed", Fen>;

export const MODES = greys({
  party: "按客户",
  room: "按房间",
  bill: "按账单",
  subject: "按科目",
  village: "按门店",
});
export type Mode = keyof typeof MODES;

export const CONTRACT_STATES = { living: ["在租", "green"], left: ["已退", "grey"] } as const satisfies Words;
export const PARTY_KINDS = greys({ renter: "租客", company: "企业", merchant: "商户" });

/** The due days that make an age at a day, earliest first. Nobody owes for longer than the last bucket reaches. */
export const dueOf = (age: Age, day: Day): { from: Day | undefined; to: Day } => {
  const { from, to } = AGES.find((a) => a.key === age)!;
  return { from: age === "over" ? undefined : addDays(day, -to), to: addDays(day, -from) };
};

const ROW_OF = {
  party: "partyId",
  room: "roomIds",
  bill: "id",
  subject: "subjectIds",
  village: "villageIds",
} as const satisfies Record<Mode, string>;
/** What narrows the bills of a row and the list of bills does not know. */
const NOT_IN_LIST = ["subjectIds", "contractState", "keyword"] as const;

/**
 * The list of bills as of today that comes to a row of the report, or to an age of it, under the filters that are set; nothing
 * where it would show others. Of a subject it would show whole bills.
 */
export function billListOf(
  mode: Mode,
  id: number,
  asked: Readonly<Record<string, string | undefined>>,
  due: { from: Day | undefined; to: Day } | undefined,
): Record<string, string | number | undefined> | undefined {
  if (mode === "subject" || (mode === "room" && !id)) return undefined;
  if (asked["disputed"] === "false" || asked["roomId"] === "0" || (asked["ages"] && !due)) return undefined;
  if (NOT_IN_LIST.some((key) => asked[key])) return undefined;
  return {
    tab: "overdue",
    direction: "receivable",
    villageIds: asked["villageIds"],
    partyKind: asked["partyKind"],
    partyId: asked["partyId"],
    roomIds: asked["roomId"],
    dueFrom: due?.from,
    dueTo: due?.to,
    [ROW_OF[mode]]: id,
  };
}

/** The bucket of a bill due on `due`, as of `day`; a bill is late from the day after. */
export function ageOf(due: Day, day: Day): Age {
  const late = daysBetween(due, day);
  return AGES.find((a) => late <= a.to)?.key ?? "over";
}

/** The eleven month ends before a day, and the day itself. */
export const monthEndsTo = (day: Day): Day[] => [
  ...Array.from({ length: 11 }, (_, i) => lastOf(addToMonth(monthOf(day), i - 11))),
  day,
];
