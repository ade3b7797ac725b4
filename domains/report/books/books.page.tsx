import { Link } from "react-router";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { pathTo, useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { RowTable } from "../../../platform/console/list/row-table.tsx";
import { entryShown, type EntryShown } from "../../finance/journal/entry.contract.ts";
import {
  EVENT_WORDS,
  type EntryRow,
  exportJournal,
  exportThreeWay,
  getEntry,
  listJournal,
  listThreeWay,
} from "./books.contract.ts";
import { BOOKS } from "./books.rules.ts";
import { Checks } from "./checks.panel.tsx";
import { Statement } from "./statement.panel.tsx";
import { Trial } from "./trial.panel.tsx";

const LISTS = [
  { key: "statement", title: "总表" },
  { key: "trial", title: "科目余额表" },
  { key: "journal", title: "凭证" },
  { key: "checks", title: "勾稽检查" },
  { key: "contracts", title: "三流合一" },
];

/** 财务报表: money, balances and profit, and the books that they come from; ?list= says which look. */
export default function BooksPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "statement";
  // the stores and the period stay while somebody goes from look to look
  const kept = Object.fromEntries(["villageIds", "head", "from", "to"].map((key) => [key, address.get(key)]));
  return (
    <TabPage label="财务报表" items={LISTS} on={on} onChange={(list) => go(BOOKS, { ...kept, list })}>
      {on === "statement" && <Statement />}
      {on === "trial" && <Trial />}
      {on === "journal" && <Journal />}
      {on === "checks" && <Checks />}
      {on === "contracts" && <ThreeWay />}
    </TabPage>
  );
}

const sourceOf = ({ flowId, billId }: EntryRow) =>
  flowId
    ? reach("/accountManage/AccountFlowPatch", { id: flowId })
    : billId
      ? reach("/accountManage/BillListManage", { id: billId })
      : undefined;

/** 凭证: every entry of the journal, whatever made it; with an account also what it moved that account by. */
function Journal() {
  const [address] = useAddress();
  return (
    <ListPage
      call={listJournal}
      unit="张"
      filters={["villageIds", "from", "event", "account", "head", "keyword"]}
      columns={[
        "entryNo",
        "date",
        { key: "event", width: 136 },
        "memo",
        ...(address.get("account") ? (["accountDebit", "accountCredit"] as const) : []),
        { key: "amount", strong: true },
        "villageNames",
        { key: "sourceNo", to: sourceOf },
        {
          key: "reversesNo",
          to: (r) => (r.reversesNo ? pathTo(BOOKS, { list: "journal", keyword: r.reversesNo }) : undefined),
        },
        { key: "businessDate", hidden: true },
        "postedBy",
        { key: "postedAt", hidden: true },
      ]}
      card={{
        title: "event",
        right: "amount",
        lines: [
          ["date", "villageNames"],
          ["entryNo", "sourceNo"],
        ],
        sums: ["amount"],
      }}
      drawer={(id) => <EntryDrawer id={id} />}
      exportCall={exportJournal}
      emptyText="这段时间没有凭证"
    />
  );
}

const EntryDrawer = ({ id }: { id: number }) => (
  <Detail
    call={getEntry}
    sent={{ params: { id } }}
    title={(e) => e.entryNo}
    tags={(e) => <WordTag words={EVENT_WORDS} code={e.event} />}
    strip={(e) => [{ title: "借方合计", fen: e.amount, key: true }]}
    facts={[
      "date",
      "businessDate",
      "villageNames",
      {
        key: "sourceNo",
        show: (e) => {
          const to = sourceOf(e);
          return to ? <Link to={to}>{e.sourceNo}</Link> : e.sourceNo;
        },
      },
      "reversesNo",
      "postedBy",
      "postedAt",
      { key: "memo", wide: true },
    ]}
    tabs={[{ key: "lines", title: "分录", view: (e) => <Legs entry={e.entries[0]} /> }]}
  />
);

/** What an entry says on either side; what villages and head office then owe each other is added by itself. */
const Legs = ({ entry }: { entry: EntryShown | undefined }) => (
  <RowTable
    flat
    schema={entryShown.shape.lines}
    rows={entry?.lines ?? []}
    columns={[
      "villageName",
      "account",
      {
        key: "accountName",
        show: (l) => (l.account === "2299" ? `${l.accountName}（自动）` : l.accountName),
      },
      "subject",
      { key: "debit", show: (l) => (l.debit ? <Money fen={l.debit} /> : "") },
      { key: "credit", show: (l) => (l.credit ? <Money fen={l.credit} /> : "") },
    ]}
  />
);

const CONTRACT_PAGES = {
  renter: "/contract/RenterContractPage",
  company: "/contract/CompanyContractPage",
  merchant: "/contract/merchantContractTable",
} as const;

/** 三流合一: each contract's charges, money and invoices, and where they do not fit together. */
const ThreeWay = () => (
  <ListPage
    call={listThreeWay}
    unit="份合同"
    filters={["villageIds", "odd", "keyword"]}
    columns={[
      { key: "contractNo", to: (r) => reach(CONTRACT_PAGES[r.kind], { id: r.id }) },
      "partyName",
      "roomNames",
      { key: "villageName", hidden: true },
      "billed",
      "received",
      "byDeposit",
      "writtenOff",
      { key: "outstanding", strong: true },
      "invoiced",
      "invoiceable",
      { key: "uninvoicedDays", hidden: true },
      "depositIn",
      "depositOut",
      "depositHeld",
      "marks",
    ]}
    card={{
      title: "partyName",
      right: "outstanding",
      lines: [
        ["roomNames", "billed"],
        ["received", "invoiced"],
        ["contractNo", "marks"],
      ],
      sums: ["billed", "outstanding"],
    }}
    exportCall={exportThreeWay}
    emptyText="还没有出过账单的合同"
  />
);
