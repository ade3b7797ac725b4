/**
 * Changes of rules that nobody can notice, each examined: `becomes` is the changed line, and `why` says why the rules answer
 * the same with it. `npm run mutate` prints them beside what no test notices without a reason.
 */
export type Equal = { file: string; becomes: string; why: string };

const CONTRACT = "domains/contract";
const SCHEDULE = `${CONTRACT}/schedule`;
const FINANCE = "domains/finance";
const equal = (file: string, why: string, ...lines: string[]): Equal[] =>
  lines.map((becomes) => ({ file: `${file}.rules.ts`, becomes, why }));

const ONE_FITS = "at most one entry fits, so the first is the last";
const SAME_VALUE = "at the bound itself both ways give the same value";
const NO_DAYS = "without a segment every month lies after 1 January 1970, so all are passed over";
const BEYOND = "beyond the last month comes its end, which lies after everything charged";
const NOT_CARRIED = "a term that starts with its contract month has no days carried into it";
const NEVER_TIED = "the case of equal values is taken before, or no two are equal";
export const EQUAL: readonly Equal[] = [
  ...equal(
    `${CONTRACT}/drafting/drafting`,
    ONE_FITS,
    "const cycleMonths = ([1, 3, 6, 12] as const).findLast((c) => String(c) === cycle);",
  ),
  ...equal(
    `${CONTRACT}/drafting/example`,
    "without a day or a room nothing can be planned, which is caught below and answers nothing too",
    "if (!form.start || !form.end && !room) return undefined;",
    "if (!form.start && !form.end || !room) return undefined;",
  ),
  ...equal(
    `${CONTRACT}/drafting/offered`,
    "a product has exactly one default way of paying (plansWrong)",
    "const usual = chips.findLast((chip) => chip.usual);",
  ),
  ...equal(`${CONTRACT}/drafting/rise`, NEVER_TIED, ": a.fromDate <= b.fromDate"),
  ...equal(
    `${CONTRACT}/import/planned`,
    "the patterns exclude each other",
    'key: COLUMN_OF.findLast(([pattern]) => pattern.test(field))?.[1] ?? "pay",',
  ),
  ...equal(
    `${CONTRACT}/import/row`,
    "whatever is missing here has been reported, so `wrong` holds something; the test is there for the types",
    "if (wrong.length || !dates || !tenant || rent === undefined || !pay && deposit === undefined)",
    "if (wrong.length || !dates || !tenant || rent === undefined && !pay || deposit === undefined)",
    "if (wrong.length || !dates || !tenant && rent === undefined || !pay || deposit === undefined)",
    "if (wrong.length || !dates && !tenant || rent === undefined || !pay || deposit === undefined)",
  ),
  ...equal(
    `${CONTRACT}/import/row`,
    SAME_VALUE,
    "signedOn: signedOn ?? (start <= takenOn ? start : takenOn),",
  ),
  ...equal(
    `${CONTRACT}/import/row`,
    ONE_FITS,
    "? words.findLast(([, [title]]) => title === typed.certType)?.[0]",
    'const key = (["name", "phone", "certType", "certNo"] as const).findLast((k) => k === field) ?? "name";',
  ),
  ...equal(
    `${CONTRACT}/occupant/stay`,
    "the day itself is in the list already",
    "const days = [day, ...stays.map((s) => s.from).filter((from) => from >= day)];",
  ),
  ...equal(
    `${CONTRACT}/preview/preview`,
    "every line of one subject in a contract has the subject's name",
    'return fees.findLast((f) => f.feeId === line.feeKey)?.name || "费用";',
  ),
  ...equal(
    `${CONTRACT}/turnover/reckon`,
    ONE_FITS,
    "own: monthsOwed(agreed, closed).findLast((m) => m.no === closing.monthNo)!,",
  ),
  ...equal(
    `${CONTRACT}/terms/check`,
    ONE_FITS,
    "form.rooms.flatMap((r) => rooms.findLast((f) => f.roomId === r.roomId && !isAttached(f.kind)) ?? [])[0];",
  ),
  ...equal(
    `${CONTRACT}/terms/plans`,
    "a product's ways of paying differ in deposit or cycle (plansWrong)",
    "chips.findLast(",
  ),
  ...equal(
    `${CONTRACT}/terms/live`,
    "what is missing is among the errors, which end in the same answer",
    "if (!start || !end && !form.rooms.length || errors.some((e) => !ASIDE.test(e.field)))",
    "if (!start && !end || !form.rooms.length || errors.some((e) => !ASIDE.test(e.field)))",
  ),
  ...equal(
    `${SCHEDULE}/amount-errors`,
    "it only decides whether the bills are looked at one by one, and those decide",
    "const months = Math.max(monthTable(input).from.length, 13);",
    "const sum = (all: readonly Fen[]) => all.reduce((total, fen) => total + fen, 1);",
    "if (mostOfABill(input) < AMOUNT_MAX) return;",
  ),
  ...equal(
    `${SCHEDULE}/bills`,
    NEVER_TIED,
    "a.periodStart === b.periodStart ? RANK[a.kind] - RANK[b.kind] : a.periodStart <= b.periodStart ? -1 : 1,",
  ),
  ...equal(
    `${SCHEDULE}/canonical`,
    "keys of one object differ",
    "for (const [key, v] of Object.entries(value).sort(([a], [b]) => (a <= b ? -1 : 1)))",
  ),
  ...equal(
    `${SCHEDULE}/carry`,
    "a contract that starts with its contract month has no days carried into it",
    "const inherited = old.start > monthStart ? (old.carriedDays ?? 0) : 0;",
  ),
  ...equal(
    `${SCHEDULE}/carry`,
    "a fee that begins on that very day has no line before it, so `last` is undefined",
    "from <= day && last !== undefined && last.amount > 0 && last.periodNo === lastPeriod(cut, fee, table);",
  ),
  ...equal(
    `${SCHEDULE}/carry`,
    "a month that starts on the day does not end by it, which is asked as well",
    "(month, i) => table.to[i]! >= from && month <= day && table.starts[i + 1]! <= dayNumber(day),",
  ),
  ...equal(
    `${SCHEDULE}/carry`,
    "only the periods are read, and these do not depend on the fee's place",
    "feeCharge(input, table, fee, 1).periods.at(-1)!;",
  ),
  ...equal(`${SCHEDULE}/charge`, NO_DAYS, "const last = segments.at(-1)?.to ?? 1;"),
  ...equal(`${SCHEDULE}/charge`, BEYOND, "for (let i = 0; i <= table.from.length; i++) {"),
  ...equal(
    `${SCHEDULE}/charge`,
    NOT_CARRIED,
    "const taken = from >= table.starts[i]! && from === table.start;",
  ),
  ...equal(
    `${SCHEDULE}/charge`,
    "it counts the days after something ended, and what ended is not charged by the contract that takes over",
    "return { days: days - (table.end - last), cost };",
  ),
  ...equal(
    `${SCHEDULE}/discounts`,
    "of a month of nothing nothing is taken off, and a discount of nothing is not written",
    "if (!row || row.left < 0) return;",
  ),
  ...equal(
    `${SCHEDULE}/discounts`,
    "a budget that is just the whole is shared to the same fen",
    "if (budget > whole) return base;",
  ),
  ...equal(
    `${SCHEDULE}/fees`,
    ONE_FITS,
    "const room = fee.roomId == null ? undefined : input.rooms.findLast((r) => r.roomId === fee.roomId);",
  ),
  ...equal(`${SCHEDULE}/net`, NO_DAYS, "const last = rows.at(-1)?.to ?? 1;"),
  ...equal(`${SCHEDULE}/net`, BEYOND, "for (let i = 0; i <= table.from.length; i++) {"),
  ...equal(
    `${SCHEDULE}/net`,
    NOT_CARRIED,
    "const counted = from >= monthStart && from === table.start ? carried : 0;",
  ),
  ...equal(
    `${SCHEDULE}/once`,
    SAME_VALUE,
    "const to = fee.toDate && fee.toDate >= from ? fee.toDate : from;",
  ),
  ...equal(
    `${SCHEDULE}/once`,
    "periods do not overlap",
    "const period = joins(input, fee) ? periods.findLast((p) => p.from <= from && from <= p.to) : undefined;",
  ),
  ...equal(
    `${SCHEDULE}/running`,
    "both totals are one fen lower, and their difference is the same",
    "const round = (units: number) => Math.floor((2 * units - whole) / (2 * whole));",
  ),
  ...equal(
    `${SCHEDULE}/sentence`,
    "a price by area always says the area; without one the basis is 365 (scaleOf)",
    'if (basis === "365" && !area)',
  ),
  ...equal(
    `${SCHEDULE}/steps`,
    "of two steps of one room on one day, only that set by hand is kept",
    ".toSorted((a, b) => (a.fromDate <= b.fromDate ? -1 : 1));",
  ),
  ...equal(
    `${SCHEDULE}/steps`,
    ONE_FITS,
    "const room = input.rooms.length === 1 ? input.rooms[0] : input.rooms.findLast((r) => r.roomId === roomId);",
  ),
  ...equal(
    `${SCHEDULE}/steps`,
    "a term has at most 240 months, so a 241st row would lie beyond its end",
    "for (let k = 1; k <= 241; k++) {",
  ),
  ...equal(`${SCHEDULE}/weight`, SAME_VALUE, "return n >= days || sum >= whole ? whole : sum;"),
  ...equal(
    `${SCHEDULE}/write`,
    ONE_FITS,
    "): Carried | undefined => carried?.findLast((c) => c.feeKey === feeKey && c.roomId === roomId);",
  ),
  ...equal(
    `${FINANCE}/account/kind`,
    "whatever is wrong with any of them, the sentence is the same",
    "const bad = ids.map((a) => optional(appId)(a.appId)).findLast(Boolean);",
  ),
  ...equal(
    `${FINANCE}/account/kind`,
    "a rate has far fewer digits, and what a float adds stands behind the 13th",
    "rate >= 0 && rate <= 0.05 && Number.isInteger(Number((rate * 1e6).toPrecision(13)));",
    "export const rateText = (rate: number): string => `${Number((rate * 100).toPrecision(13))}%`;",
  ),
  ...equal(
    `${FINANCE}/bill/correction`,
    "nothing is left of a sum of nothing, and of one fen more the line bears one fen: what is taken of a line is never above it",
    "const part = rest >= 0 ? rest : Math.max(rest, line.taken - line.net);",
    "const part = rest > 1 ? rest : Math.max(rest, line.taken - line.net);",
  ),
  ...equal(
    `${FINANCE}/bill/make`,
    ONE_FITS,
    "for (const part of laid) bearing.findLast((row) => row.id === part.lineId)!.adjusted += part.amount;",
  ),
  ...equal(
    `${FINANCE}/bill/make`,
    "an amount is bounded alike above and below nothing",
    "amounts.every(isAmount) && isAmount(amounts.reduce((sum, fen) => sum - Math.max(fen, 0), 0));",
  ),
  ...equal(
    `${FINANCE}/journal/journal`,
    SAME_VALUE,
    "if (locked && (!last || locked >= last)) last = locked;",
  ),
  ...equal(
    `${FINANCE}/setting/example`,
    ONE_FITS,
    "pay: paying.findLast((p) => p.lineId === line.lineId)?.amount ?? 0,",
  ),
];
