import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { rentsOf } from "../contract/contract.rules.ts";
import { changesIn, differences } from "../template/template.rules.ts";
import { BASIS_WORDS, PRICING_WORDS, ROUNDING_WORDS } from "../terms/terms.contract.ts";
import { type LetRoom, payTextOf } from "../terms/terms.rules.ts";
import { breachClauses, depositClause, discountClauses, feeClauses, rentClauses } from "./clause.rules.ts";

export type Section = { title: string; items: string[] };

type Agreed = Omit<Parameters<typeof rentsOf>[0], "rooms"> & {
  rooms: readonly (LetRoom & { name: string })[];
  depositAmount: Fen | null;
};

/** What is agreed in the words of the paper: always the same sections in the same order, some of them empty. */
export function termsSections(c: Agreed): Section[] {
  const { terms } = c;
  const names = c.rooms.map((room) => room.name);
  const counted = `${PRICING_WORDS[terms.pricing][0]}，不足整月${BASIS_WORDS[terms.basis][0]}，租金取整到${
    ROUNDING_WORDS[terms.rentRounding][0]
  }，计费期${terms.calendarPeriods ? "按自然月" : "按起租日"}，${payTextOf(terms)}`;
  const offers = discountClauses(terms).map((text, i) => {
    const { reason } = terms.discounts![i]!;
    return reason ? `${text}（${reason}）` : text;
  });
  return [
    { title: "计费方式", items: [counted] },
    { title: "租金", items: rentClauses(terms, rentsOf(c), names) },
    { title: "优惠", items: offers },
    { title: "押金", items: [depositClause(c.depositAmount ?? 0)] },
    { title: "费用", items: feeClauses(terms) },
    { title: "违约与退房", items: breachClauses(terms) },
    { title: "开业日", items: terms.openOn ? [terms.openOn] : [] },
    { title: "补充约定", items: terms.policyNote ? [terms.policyNote] : [] },
  ];
}

/** A version says its term and its rooms, too: both change with the terms. */
export function versionSections(c: Agreed): Section[] {
  const rooms = c.rooms.map(({ name, monthlyRent, joinDate, leaveDate }) =>
    [
      `${name}，月租金 ${yuan(monthlyRent)} 元`,
      joinDate && joinDate !== c.startDate ? `${joinDate} 起租` : "",
      leaveDate ? `租用至 ${leaveDate}` : "",
    ]
      .filter(Boolean)
      .join("，"),
  );
  return [
    { title: "租期", items: [`${c.startDate} 至 ${c.endDate}`] },
    { title: "房间", items: rooms },
    ...termsSections(c),
  ];
}

export type Beside = { section: string; older: string; newer: string; changed: boolean };

/** Above this many items a section shows only those near a change. */
const LONG = 20;

function pairsOf(before: readonly string[], after: readonly string[]): Omit<Beside, "section">[] {
  const lines = differences(before, after);
  const pairs: Omit<Beside, "section">[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    const most = Math.max(removed.length, added.length);
    for (let i = 0; i < most; i++)
      pairs.push({ older: removed[i] ?? "", newer: added[i] ?? "", changed: true });
    removed = [];
    added = [];
  };
  for (const line of lines.length > LONG ? changesIn(lines) : lines)
    if (line.kind === "removed") removed.push(line.text);
    else if (line.kind === "added") added.push(line.text);
    else {
      flush();
      const text = "lines" in line ? `相同的 ${line.lines} 项` : line.text;
      pairs.push({ older: text, newer: text, changed: false });
    }
  flush();
  return pairs;
}

/** Two versions side by side, section by section: what one has in place of the other's stands in one row. */
export const besideEachOther = (older: readonly Section[], newer: readonly Section[]): Beside[] =>
  newer.flatMap(({ title, items }, i) =>
    pairsOf(older[i]!.items, items).map((pair) => ({ section: title, ...pair })),
  );
