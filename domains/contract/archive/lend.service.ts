import { createHash } from "node:crypto";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose, refuseFrozen } from "../../approval/examine/propose.service.ts";
import { approves, type Outlook, type Wanted } from "../../approval/examine/registry.service.ts";
import { type Archive, readArchives } from "./archive.queries.ts";
import { ARCHIVE_MOVES, DOC_KINDS, loanRefusal } from "./archive.rules.ts";
import { borrowerOf, factsOf, lendNow, type Loan, lockArchive, refuseLent } from "./archive.service.ts";

const ARCHIVE_LOAN = "archiveLoan";

async function archiveOf(read: Pick<Read, "tx">, id: number, lock = false): Promise<Archive> {
  const [a] = await readArchives(read, [id], lock);
  if (!a) throw notFound();
  return a;
}

approves({
  type: ARCHIVE_LOAN,
  title: "档案借出",
  group: "合同",
  kind: "archive",
  page: "/contract/ArchiveManagePage",
  permit: "226.query",
  fields: [{ key: "days", title: "借期天数", kind: "number", unit: "天" }],
  outlook: async (read: Read, { id, payload }: Wanted): Promise<Outlook> => {
    const loan = payload as Loan;
    const a = await archiveOf(read, id);
    refuseLent(a);
    ARCHIVE_MOVES.next("lend", factsOf(read, a));
    return {
      title: `档案借出 ${a.archiveNo}`,
      number: a.archiveNo,
      villageId: a.villageId,
      amount: null,
      values: { days: daysBetween(loan.lentOn, loan.dueOn) },
      facts: [
        ["文件", `${DOC_KINDS[a.docKind][0]} ${a.contractNo}`],
        ["客户", a.partyName],
        ["库位", a.place],
        ["借阅人", await borrowerOf(read, a, loan.borrowerId)],
        ["用途", loan.purpose],
        ["借期", `${loan.lentOn} 至 ${loan.dueOn}`],
      ],
      preview: [],
      hash: createHash("sha256")
        .update(JSON.stringify([id, loan.borrowerId, loan.lentOn, loan.dueOn]))
        .digest("hex"),
    };
  },
  effect: async (act, { id, payload }) => lendNow(act, await archiveOf(act, id, true), payload as Loan),
});

/** Lends at once, or waits where a process says so: answers the number of the approval, or null. */
export async function lend(act: Act, id: number, { version, ...loan }: Loan & { version: number }) {
  const a = await lockArchive(act, id);
  // whoever comes second hears who has it, not that something has changed
  refuseLent(a);
  await refuseFrozen(act, "archive", [id]);
  asSeen(a, version);
  ARCHIVE_MOVES.next("lend", factsOf(act, a));
  const wrong = loanRefusal(loan, { archivedOn: a.archivedOn!, today: act.today });
  if (wrong) throw invalid(wrong);
  await borrowerOf(act, a, loan.borrowerId);
  const { waiting } = await propose(act, ARCHIVE_LOAN, [
    { recordId: id, villageId: a.villageId, payload: loan, reason: loan.purpose },
  ]);
  if (!waiting.length) await lendNow(act, a, loan);
  return waiting[0]?.examineNo ?? null;
}
