import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import {
  approves,
  money,
  type Outlook,
  type PreviewTable,
  type Wanted,
  words,
} from "../../approval/examine/registry.service.ts";
import { refuseOpenAct } from "../act/act.queries.ts";
import { configOf } from "../config/config.service.ts";
import { offersGone } from "../activity/use.service.ts";
import { contractMoves, phaseOf, PHASES } from "../contract/contract.rules.ts";
import { type ContractRecord, contractFacts, nextOf, recordById } from "../contract/record.queries.ts";
import { overCredit } from "../preview/credit.service.ts";
import { dealOf, differences } from "../preview/deal.rules.ts";
import type { Preview } from "../preview/preview.contract.ts";
import { APPROVAL_FIELDS, approvalValues, breachOf } from "../preview/preview.rules.ts";
import { weighStored } from "../preview/preview.service.ts";
import { lockSwapped } from "../succession/succession.service.ts";
import { CONTRACT_KINDS, KINDS, permitOf } from "../terms/kind.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { SUCCESSIONS, type Terms } from "../terms/terms.contract.ts";
import { billsToVoid, voidNow } from "./end.service.ts";
import {
  type Agreed,
  goneOffers,
  listedSince,
  PAPER,
  type Proposed,
  signNow,
  stillAgreed,
} from "./sign.service.ts";
import { contractApproved } from "./signing.contract.ts";
import { backToDraft, openSigning } from "./submit.service.ts";

/** Whoever approves need not have the contract's page; the examine says who may. */
async function contractOf(read: Pick<Read, "tx">, id: number, lock = false): Promise<ContractRecord> {
  const contract = await recordById(read, id, lock);
  if (!contract) throw notFound();
  return contract;
}

/** Whom it is about, in what the clerk knows it by. */
const factsOf = (c: ContractRecord): [string, string][] => [
  ["客户", c.partyName],
  ["房间", c.roomNames],
  ["租期", `${c.start} 至 ${c.end}`],
  ["月租金", `${yuan(c.monthlyRent ?? 0)} 元`],
];

/** Lines that are shown one by one; of a contract with more, its bills say enough. */
const MOST_LINES = 300;

/** The bills as the clerk saw them, and how their lines come about. */
function tablesOf({ added }: Preview): PreviewTable[] {
  const due = (bill: Preview["added"][number]) => bill.dueOn ?? "签约当日";
  const period = (from: string, to: string) => `${from} ~ ${to}`;
  const lines = added.flatMap((bill) => bill.lines.map((line) => ({ bill, line })));
  const bills: PreviewTable = {
    title: "签约后生成的账单",
    columns: [words("账单"), words("计费期"), words("应收日"), money("金额")],
    rows: added.map((b) => [b.title, period(b.periodStart, b.periodEnd), due(b), b.amount]),
  };
  if (lines.length > MOST_LINES) return [bills];
  return [
    bills,
    {
      title: "计算说明",
      columns: [words("账单"), words("科目"), words("计费期"), money("金额"), words("计算说明")],
      rows: lines.map(({ bill, line }) => [
        bill.title,
        line.subject,
        period(line.from, line.to),
        line.amount,
        line.how,
      ]),
    },
  ];
}

/** What could be disturbed while it waited: its bills, the black list, the room left in its offers, the credit of its company. */
async function standing(read: Read, contract: ContractRecord): Promise<Agreed> {
  const weighed = weighStored(read, contract);
  const again = "请驳回后由提交人重新提交";
  if (weighed.preview.previewHash !== contract.previewHash)
    throw new Refusal("previewChanged", `账单试算已变化，${again}`, 409);
  const listed = await listedSince(read, contract);
  if (listed) throw new Refusal("blackListed", `${listed}，${again}`, 409);
  const over = contract.creditReason ? undefined : await overCredit(read, weighed);
  if (over) throw new Refusal("overCredit", `${over}，${again}`, 422);
  const gone = await offersGone(read, { ...contract, partyId: contract.partyId! }, weighed.plan, false);
  if (gone) throw new Refusal("quotaUsed", `${gone}，${again}`, 409);
  return weighed;
}

/** With what the store's standard is: it is said beside each figure that differs. */
const dealFacts = (
  { contract, preview, below, ...of }: Agreed,
  standard: Terms["deposit"],
): [string, string][] => {
  const differs = differences(dealOf({ contract, ...of }), standard, contract.monthlyRent);
  const beside: Record<string, string> = { 租期: differs.term, 月租金: differs.rent };
  return [
    ...factsOf(contract).map(([key, text]): [string, string] => [key, text + (beside[key] ?? "")]),
    ["押金", `${yuan(preview.totals.deposit)} 元${differs.deposit}`],
    ["签约应收", `${yuan(preview.totals.atSigning)} 元`],
    ["合同总额", `${yuan(preview.totals.contractTotal)} 元`],
    ...(below ? ([["底价", breachOf(below)]] satisfies [string, string][]) : []),
  ];
};

const outlookOf = (weighed: Agreed) => ({
  number: weighed.contract.contractNo,
  villageId: weighed.contract.villageId,
  amount: weighed.preview.totals.contractTotal,
  values: approvalValues(weighed),
  preview: tablesOf(weighed.preview),
});

async function submitOutlook(read: Read, { id }: Wanted): Promise<Outlook> {
  const contract = await contractOf(read, id);
  if (contract.state !== "approving")
    throw new Refusal("notAllowed", "合同已退回草稿，请在合同中修改后重新提交签约", 409);
  const weighed = await standing(read, contract);
  const config = await configOf(read, contract);
  return {
    ...outlookOf(weighed),
    title: `${contract.terms.takeOver ? SUCCESSIONS[contract.terms.takeOver.kind][0] : `${KINDS[contract.kind].title}签约`} ${contract.contractNo}`,
    opens: opens(contract),
    facts: dealFacts(weighed, { ...DEFAULT_TERMS, ...config.defaultTerms }.deposit),
    hash: weighed.preview.previewHash,
  };
}

/** As it was handed in, or not at all. */
async function agreed(act: Act, contract: ContractRecord, previewHash: string): Promise<Agreed> {
  const weighed = await stillAgreed(act, contract, previewHash);
  const gone = await goneOffers(act, weighed);
  if (gone) throw new Refusal("quotaUsed", gone, 409);
  return weighed;
}

const BACK = { rejected: "审批被驳回", withdrawn: "撤回签约", void: "审批作废" } as const;

/** What is handed in: a new contract of a kind, or one that follows another. */
const HANDED_IN = [
  ...CONTRACT_KINDS.map((kind) => ({
    type: `${kind}Contract`,
    title: `${KINDS[kind].title}签约`,
    page: KINDS[kind].path,
    permit: permitOf(kind, "query"),
  })),
  { type: "renewal", title: "续租", page: "/contract/RenewalApplicationPage", permit: "73.query" as const },
  ...(["changeRoom", "changeTenant"] as const).map((type) => ({
    type,
    title: SUCCESSIONS[type][0],
    page: "/contract/ChangeRoomManage",
    permit: "96.query" as const,
  })),
];

for (const { type, title, page, permit } of HANDED_IN) {
  approves({
    group: "合同",
    kind: "contract",
    page,
    permit,
    fields: APPROVAL_FIELDS,
    type,
    title,
    outlook: submitOutlook,
    effect: async (act, { id }) => {
      const contract = await contractOf(act, id, true);
      contractMoves.next("approve", await contractFacts(act, contract));
      await agreed(act, contract, contract.previewHash!);
      await openSigning(act, contract);
      if (contract.sendsLinks) await act.emit(contractApproved, { contractId: id });
    },
    dropped: async (act, { id }, { state, why }) => {
      const contract = await contractOf(act, id, true);
      if (contract.state !== "approving") return;
      await backToDraft(act, contract, state === "withdrawn" ? "撤回" : "退回草稿", `${BACK[state]}：${why}`);
    },
  });
}

/** Where a contract of its kind is looked at. */
const opens = ({ id, kind }: ContractRecord) => ({ page: KINDS[kind].path, id });

/** Acts on contracts of every kind. */
const ANY = {
  group: "合同" as const,
  kind: "contract",
  page: KINDS.renter.path,
  permit: permitOf("renter", "query"),
};

approves({
  ...ANY,
  type: "contractVoid",
  title: "合同作废",
  fields: [
    { key: "amount", title: "作废账单金额", kind: "money" },
    { key: "signed", title: "已签署", kind: "flag" },
  ],
  outlook: async (read, { id }): Promise<Outlook> => {
    const contract = await contractOf(read, id);
    const { start, end, state } = contract;
    // its own approval does not stand in its way
    contractMoves.next("void", { ...(await contractFacts(read, contract)), frozen: null });
    await refuseOpenAct(read, id);
    const bills = await billsToVoid(read, id);
    const amount = bills.reduce((sum, b) => sum + b.amount, 0);
    return {
      title: `作废合同 ${contract.contractNo}`,
      number: contract.contractNo,
      opens: opens(contract),
      villageId: contract.villageId,
      amount,
      values: { amount, signed: contract.signedOn ? 1 : 0 },
      facts: [
        ...factsOf(contract),
        ["合同状态", PHASES[phaseOf({ state, start, end }, read.today)][0]],
        ["签约日", contract.signedOn ?? "未签署"],
        ["作废账单", `${bills.length} 张，${yuan(amount)} 元`],
      ],
      preview: bills.length
        ? [
            {
              title: "一并作废的账单",
              columns: [words("账单"), words("应收日"), money("金额")],
              rows: bills.map((b) => [b.title, b.dueDate, b.amount]),
            },
          ]
        : [],
      hash: basisHash([id, state, bills.map((b) => [b.id, b.amount])]),
    };
  },
  effect: async (act, { id, reason }) => {
    const contract = await contractOf(act, id, true);
    await nextOf(act, "void", contract);
    await refuseOpenAct(act, id);
    await voidNow(act, contract, reason);
  },
});

approves({
  ...ANY,
  type: PAPER,
  title: "线下签署",
  fields: APPROVAL_FIELDS,
  outlook: async (read, { id, payload }): Promise<Outlook> => {
    const { signedOn, fileIds, other } = payload as Proposed;
    const contract = await contractOf(read, id);
    if (contract.state !== "signing")
      throw new Refusal("notAllowed", "合同已不在待签署状态，请驳回后查看合同", 409);
    const weighed = await standing(read, contract);
    return {
      ...outlookOf(weighed),
      opens: opens(contract),
      title: `线下签署 ${contract.contractNo}`,
      facts: [
        ...factsOf(contract),
        ["签署日期", signedOn],
        ["扫描件", `${fileIds.length} 个`],
        ...(other
          ? ([["对调合同", (await contractOf(read, other.id)).contractNo]] satisfies [string, string][])
          : []),
        ["签约应收", `${yuan(weighed.preview.totals.atSigning)} 元`],
      ],
      hash: basisHash([weighed.preview.previewHash, signedOn, fileIds, ...(other ? [other] : [])]),
    };
  },
  effect: async (act, { id, payload }) => {
    const { other, ...paper } = payload as Proposed;
    const papers = [{ ...paper, id }, ...(other ? [other] : [])];
    const contracts = new Map<number, ContractRecord>();
    for (const contractId of papers.map((p) => p.id).toSorted((a, b) => a - b))
      contracts.set(contractId, await contractOf(act, contractId, true));
    if (other) await lockSwapped(act, [...contracts.values()]);
    for (const each of papers) {
      const contract = contracts.get(each.id)!;
      await nextOf(act, "sign", contract, { both: Boolean(other) });
      await signNow(act, await agreed(act, contract, each.previewHash), each);
    }
  },
});
