import type { Patch } from "../../../platform/console/screens/page.ts";
import { ContractDrawer, ExpiryPicture } from "./contract.panel.tsx";
import type { Shown as ShownFilter } from "../../../platform/console/filter/filter.ts";
import type { Column } from "../../../platform/console/list/columns.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import type { QueryKey, Row } from "../../../platform/console/list/list-schema.ts";
import { Money, NONE } from "../../../platform/console/parts/kinds.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";
import { BUILDINGS } from "../../finance/bill-list/bill.contract.ts";
import { countContracts, type listContracts, TAB_WORDS } from "../contract/contract.contract.ts";

/** What the lists of all three kinds of contracts show alike. */
type Shown = Row<typeof listContracts>;
type Shared = ShownFilter<QueryKey<typeof listContracts>>;

const TABS_OF_LIST = {
  key: "tab",
  counts: countContracts,
  items: Object.entries(TAB_WORDS).map(([key, title]) => ({ key, title })),
};

/** 门店 and the keyword stand first, in the words of the page; the rest is the same. 楼栋 is of the chosen stores where some are chosen. */
export const filtersOf = (keyword: string, villageIds: string | null): Shared[] => [
  "villageIds",
  { key: "keyword", title: keyword },
  "endFrom",
  "flag",
  "startFrom",
  "signedFrom",
  { key: "buildingId", source: { ...BUILDINGS, ...(villageIds && { query: { villageIds } }) } },
  "owing",
  "voided",
  "managerId",
  "signerId",
  "agentId",
  "signMode",
  "cycle",
  "source",
  "activityId",
  ...(may("10.query") ? (["templateId"] as const) : []),
];

export const END_DAY: Column<Shown> = {
  key: "endDate",
  show: (c) => (
    <EndDay day={c.endDate} left={c.phase === "living" || c.phase === "ending" ? c.daysLeft : null} />
  ),
};

export const DEPOSIT: Column<Shown> = {
  key: "depositHeld",
  title: "押金 在管/约定",
  show: (c) => (
    <span>
      <Money fen={c.depositHeld} />
      <span className="dim"> / {c.depositAmount === null ? "—" : yuan(c.depositAmount)}</span>
    </span>
  ),
};

export const NEXT_DUE: Column<Shown> = {
  key: "nextDueOn",
  show: (c) =>
    c.nextDueOn ? (
      <span className={c.nextDueOn < c.facts.today ? "neg" : ""}>
        {c.nextDueOn} <span className="nx__fen">{yuan(c.nextDueFen ?? 0)}</span>
      </span>
    ) : (
      NONE
    ),
};

/** Who signed and keeps it, and when: the end of each of the lists. */
export const HANDLING: Column<Shown>[] = [
  {
    key: "signMode",
    hidden: true,
    show: (c) =>
      c.signMode === "offline" ? "线下" : `电子 ${c.signedOn ? "已签" : c.state === "signing" ? "待签" : ""}`,
  },
  { key: "source", hidden: true },
  { key: "channel", hidden: true },
  { key: "agentName", hidden: true },
  "signerName",
  { key: "managerName", hidden: true },
  "signedOn",
  { key: "updatedAt", hidden: true },
];

const EndDay = ({ day, left }: { day: string | null; left: number | null }) =>
  day === null ? (
    NONE
  ) : (
    <span>
      {day}
      {left !== null && left <= 90 && (
        <span className={left <= 30 ? "soon" : "dim"}> {left === 0 ? "今天" : `${left} 天后`}</span>
      )}
    </span>
  );

/** What the pages of all three kinds hand their list alike. */
export const SHARED = {
  unit: "份",
  tabs: TABS_OF_LIST,
  drawer: (id: number) => <ContractDrawer id={id} />,
  picture: (query: Record<string, unknown>, filter: (patch: Patch) => void) => (
    <ExpiryPicture query={query} filter={filter} />
  ),
};
/** The contract's own number under a card that is called by its party. */
export const NUMBER_LINE = [
  (c: { contractNo: string }) => <span className="dim">{c.contractNo}</span>,
] as const;
