import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { entriesById } from "../../finance/journal/shown.service.ts";
import {
  exportJournal,
  exportThreeWay,
  exportTrialBalance,
  financeReport,
  getEntry,
  trialBalance,
  trialParts,
} from "./books.contract.ts";
import { askedOf, columnsOf, journal, movedIn, partsOf, trialOf } from "./books.queries.ts";
import { type Line, moneyLines, owedLines, profitLines, trialSums } from "./books.rules.ts";
import { threeWay } from "./three-way.queries.ts";

/** The same lines of three periods beside each other. */
const beside = (now: Line[], before: Line[], year: Line[]) =>
  now.map(({ key, title, account, events, fen }, i) => ({
    key,
    title,
    account,
    events: events && [...events],
    now: fen,
    before: before[i]!.fen,
    year: year[i]!.fen,
  }));

export default [
  serveRead(financeReport, async (read, { query }) => {
    const { stores, period } = await askedOf(read, query);
    const periods = columnsOf(period);
    const { now, before, year } = await movedIn(read, stores, periods);
    const money = { now: moneyLines(now), before: moneyLines(before), year: moneyLines(year) };
    return {
      ...periods,
      money: beside(money.now.lines, money.before.lines, money.year.lines),
      rest: { now: money.now.rest, before: money.before.rest, year: money.year.rest },
      owed: beside(owedLines(now), owedLines(before), owedLines(year)),
      profit: beside(profitLines(now), profitLines(before), profitLines(year)),
    };
  }),
  serveRead(trialBalance, async (read, { query }) => {
    const lines = await trialOf(read, await askedOf(read, query));
    if (query.order === "desc") lines.reverse();
    const { pageNo, pageSize } = query;
    return {
      list: lines.slice((pageNo - 1) * pageSize, pageNo * pageSize),
      total: lines.length,
      sums: trialSums(lines),
    };
  }),
  exportList(exportTrialBalance),
  serveRead(trialParts, async (read, { params, query: { by, ...range } }) =>
    partsOf(read, await askedOf(read, range), params.account, by),
  ),
  serveList(threeWay),
  exportList(exportThreeWay),
  serveList(journal),
  exportList(exportJournal),
  serveRead(getEntry, async (read, { params }) => ({
    ...(await journal.one(read, params.id)),
    entries: await entriesById(read, [params.id]),
  })),
];
