import "./subject.service.ts";
import { sql } from "kysely";
import type { Reply } from "../../../platform/kernel/call.ts";
import { allOf, keyword, named, number } from "../../../platform/server/lists/conditions.ts";
import type { Read, Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { commissionOf } from "../../customer/commission/outlook.service.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import {
  type ContractFilter,
  contractOptions,
  countContracts,
  expiryChart,
  exportContracts,
  listContracts,
} from "./contract.contract.ts";
import {
  admit,
  contractCounts,
  contracts,
  demand,
  expiryOf,
  newestContracts,
  partyPhone,
} from "./contract.queries.ts";
import { type State, phaseOf } from "./contract.rules.ts";
import { CONTRACT_KINDS, ofAnyKind, permitOf } from "../terms/kind.rules.ts";
import {
  companyStatement,
  companyStatementPaper,
  exportCompanyStatement,
  contractBills,
  contractFlows,
  contractLog,
  contractMoneyCall,
  contractOccupants,
  contractRefunds,
  getContract,
} from "./detail.contract.ts";
import {
  billsOf,
  chainOf,
  flowsOf,
  logOf,
  moneyOf,
  occupantsOf,
  refundsOf,
  statementLines,
} from "./detail.queries.ts";
import { printStatement } from "./statement.service.ts";
import { sumsOf } from "./statement.rules.ts";
import type { PartySnapshot } from "./facts.queries.ts";
import { contractRecord } from "./record.queries.ts";

/** A sub-read of a contract: nobody reads on without having been let in. */
const within =
  <T>(work: (read: Read, id: number) => Promise<T>) =>
  async (read: Read, { params }: { params: { id: number } }): Promise<T> => {
    await admit(read, params.id, getContract);
    return work(read, params.id);
  };

type Opening = Reply<typeof getContract>["opening"];

async function detail(read: Read, id: number) {
  await admit(read, id, getContract);
  const contract = await contractRecord(read, id);
  const [[row], money, chain, frozen, commission, more] = await Promise.all([
    contracts.rowsOf(read, [id]),
    moneyOf(read, id),
    chainOf(read, id),
    frozenBy(read, "contract", [id]),
    commissionOf(read, id),
    read.tx
      .selectFrom("contract as c")
      .select(["c.anchorDate", "c.signDeadline", "c.signedFileHash", "c.createdAt", "c.voidReason"])
      .select([
        "c.blackListReason",
        "c.creditReason",
        "c.partySnapshot",
        "c.handoverOn",
        "c.leaveDate",
        "c.oldNo",
        "c.opening",
      ])
      .select([
        sql<number>`(select count(*) from bill where contract_id = c.id)`.as("bills"),
        sql<number>`(select count(*) from contract_occupant where contract_id = c.id)`.as("occupants"),
        sql<number>`(select count(*) from contract_document where contract_id = c.id)`.as("documents"),
      ])
      .where("c.id", "=", id)
      .executeTakeFirstOrThrow(),
  ]);
  const { bills, occupants, documents, partySnapshot, opening, ...rest } = more;
  return {
    ...row!,
    ...rest,
    party: partySnapshot as PartySnapshot | null,
    terms: contract.terms,
    remark: contract.remark,
    frozen: frozen.get(id) ?? null,
    opening: opening as Opening,
    rooms: contract.rooms.map((r) => ({
      ...r,
      kind: r.kind as "room",
      joinDate: r.joinDate!,
      leaveDate: r.leaveDate ?? null,
    })),
    money,
    commission,
    chain: chain.length > 1 ? chain : [],
    counts: {
      bills,
      occupants: occupants + (contract.kind === "renter" && contract.partyId ? 1 : 0),
      documents,
    },
  };
}

type Option = {
  id: number;
  contractNo: string;
  partyName: string;
  roomNames: string;
  state: State;
  startDate: string | null;
  endDate: string | null;
};

/** Who works with bills or money finds contracts of every kind, others those whose page they may open. */
const kindsSeen = ({ permits }: Who) =>
  CONTRACT_KINDS.filter(
    (kind) =>
      permits.has(permitOf(kind, "query")) ||
      ["26", "102", "72", "96"].some((code) => permits.has(`${code}.query`)),
  );

export default [
  serveRead(listContracts, (read, { query }) => {
    demand(read.who, query.kind, listContracts.needs);
    return contracts.answer(read, query);
  }),
  exportList(exportContracts, {
    admit: ({ who }, query: ContractFilter) => demand(who, query.kind, ofAnyKind("export")),
  }),
  serveRead(countContracts, (read, { query }) => {
    demand(read.who, query.kind, countContracts.needs);
    return contractCounts(read, query);
  }),
  serveRead(expiryChart, (read, { query }) => {
    demand(read.who, query.kind, expiryChart.needs);
    return expiryOf(read, query);
  }),

  serveRead(getContract, (read, { params }) => detail(read, params.id)),
  serveRead(contractMoneyCall, within(moneyOf)),
  serveRead(contractBills, within(billsOf)),
  serveRead(contractFlows, within(flowsOf)),
  serveRead(companyStatement, async (read, { params: { id }, query }) => {
    await admit(read, id, companyStatement);
    const lines = await statementLines(read, id);
    const at = (query.pageNo - 1) * query.pageSize;
    return {
      list: query.want === "totals" ? [] : lines.slice(at, at + query.pageSize),
      total: query.want === "rows" ? null : lines.length,
      sums: query.want === "rows" ? null : sumsOf(lines),
    };
  }),
  exportList(exportCompanyStatement),
  serveRead(companyStatementPaper, async (read, { params: { id } }) => {
    await admit(read, id, companyStatementPaper);
    return { ...(await printStatement(read, id)), inline: true };
  }),
  serveRead(contractRefunds, within(refundsOf)),
  serveRead(contractOccupants, within(occupantsOf)),
  serveRead(contractLog, within(logOf)),
  serveRead(contractOptions, async (read, { query: q }) => {
    const villages = villagesOf(read.who, q.villageId ? [q.villageId] : undefined);
    const { keyword: k } = q;
    const narrower = [
      ...(q.ids?.length ? [sql`c.id = ${anyOf(q.ids)}`] : []),
      ...(q.partyId ? [sql`c.party_id = ${q.partyId}`] : []),
      ...(q.roomId
        ? [sql`exists (select 1 from contract_room r where r.contract_id = c.id and r.room_id = ${q.roomId})`]
        : []),
      ...(k ? [keyword(number("c.contract_no"), named("c.party_name", "c.room_names"), partyPhone)(k)] : []),
    ];
    const where = allOf([
      sql`c.kind = any(${kindsSeen(read.who)})`,
      ...(q.state ? [sql`c.state = ${q.state}`] : []),
      ...narrower,
    ]);
    const { rows } = await sql<Option>`
      select c.id, c.contract_no "contractNo", c.party_name "partyName", c.room_names "roomNames", c.state,
        c.start_date "startDate", c.end_date "endDate"
      from ${newestContracts(villages, where, q.pageSize, Boolean(narrower.length))} order by c.id desc limit ${q.pageSize}`.execute(
      read.tx,
    );
    return rows.map(({ state, ...row }) => ({
      ...row,
      phase: phaseOf({ state, start: row.startDate, end: row.endDate }, read.today),
    }));
  }),
];
