import { sql, type RawBuilder } from "kysely";
import { allows, type Need } from "../../../platform/kernel/call.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { flowReceipt } from "../../finance/flow/flow.contract.ts";
import { supplementContent } from "../amendment/sheet.rules.ts";
import { supplementOf } from "../amendment/sheet.service.ts";
import { lendSlip } from "../archive/archive.contract.ts";
import { slipFacts } from "../archive/file.service.ts";
import { slipContent } from "../archive/slip.rules.ts";
import { admit } from "../contract/contract.queries.ts";
import { type ContractRecord, contractRecord } from "../contract/record.queries.ts";
import { dunningContent } from "../document/dunning.rules.ts";
import { dunningFacts } from "../document/dunning.service.ts";
import { receiptContent } from "../document/receipt.rules.ts";
import { receiptOf } from "../document/receipt.service.ts";
import { supplementFile as movedFile } from "../moving/moving.contract.ts";
import { supplementContent as movedContent } from "../moving/supplement.rules.ts";
import { supplementOf as movedOf } from "../moving/supplement.service.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { paperFacts } from "../paper/paper.queries.ts";
import { leaseContent } from "../paper/values.rules.ts";
import { settlementSheetFile } from "../settlement/settlement.contract.ts";
import { settlementContent } from "../settlement/sheet.rules.ts";
import { sheetOf } from "../settlement/sheet.service.ts";
import type { Content } from "../template/blocks.rules.ts";
import { DOC_KINDS, type DocKind, onlyKindOf } from "../template/doc-kind.rules.ts";

type Template = { docKind: DocKind; contractKind: string | null };

const actOf = (...kinds: string[]) =>
  sql`select id from contract_act a where a.contract_id = c.id and a.kind = any(${kinds}::text[]) and a.state not in ('rejected', 'cancelled')`;

/** The records of a contract that documents are about, and what is on them. Whoever may not print one sees none here. */
type Source = {
  needs?: Need;
  of: RawBuilder<unknown>;
  content: (read: Read, id: number) => Promise<Content>;
};
const moved: Source["content"] = async (read, id) => movedContent((await movedOf(read, id)).facts);
const SOURCES: Partial<Record<DocKind, Source>> = {
  supplement: {
    of: actOf("amend", "addRooms", "returnRooms", "exchangeRooms"),
    content: async (read, id) => supplementContent((await supplementOf(read, id)).facts),
  },
  changeRoom: { needs: movedFile.needs, of: actOf("changeRoom"), content: moved },
  changeTenant: { needs: movedFile.needs, of: actOf("changeTenant"), content: moved },
  settlementSheet: {
    needs: settlementSheetFile.needs,
    of: actOf("settle"),
    content: async (read, id) => settlementContent((await sheetOf(read, id)).facts),
  },
  receipt: {
    needs: flowReceipt.needs,
    of: sql`select f.id from flow f join allocation a on a.flow_id = f.id join bill b on b.id = a.bill_id
      where b.contract_id = c.id and f.direction = 'in' and f.state = 'confirmed'`,
    content: async (read, id) => receiptContent((await receiptOf(read, id)).facts),
  },
  lendSlip: {
    needs: lendSlip.needs,
    of: sql`select a.id from contract_archive a join archive_loan l on l.archive_id = a.id and l.returned_on is null
      where a.contract_id = c.id`,
    content: async (read, id) => slipContent(await slipFacts(read, id)),
  },
};

async function newestOf(read: Read, contractId: number, { of }: Source): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select x.id from contract c cross join lateral (${of}) x where c.id = ${contractId} order by x.id desc limit 1`.execute(
    read.tx,
  );
  return rows[0]?.id;
}

/** What stands on the newest document of a kind that a contract has; the contract's paper, whose reader the caller must be, is one. */
export async function realContent(read: Read, template: Template, contractId: number): Promise<Content> {
  await admit(read, contractId, contractPaper);
  const contract: ContractRecord = await contractRecord(read, contractId);
  const { docKind, contractKind } = template;
  const [word] = DOC_KINDS[docKind];
  if (contractKind && contractKind !== contract.kind)
    throw invalid({
      field: "contractId",
      msg: `该模板只用于${DOC_KINDS[`${contractKind as typeof contract.kind}Contract`][0]}`,
    });
  if (onlyKindOf(docKind) || docKind === "renewal") return leaseContent(await paperFacts(read, contract));
  if (docKind === "dunningLetter") return dunningContent(await dunningFacts(read, contract));
  const source = SOURCES[docKind];
  if (source?.needs && !allows(read.who.permits, source.needs)) throw forbidden();
  const id = source && (await newestOf(read, contractId, source));
  if (!source || id === undefined) throw new Refusal("notAllowed", `该合同还没有${word}`);
  return source.content(read, id);
}
