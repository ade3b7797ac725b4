import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { hasReceipt, receiptLines, toPrepaid } from "../../finance/flow/flow.rules.ts";
import { flowDetailOf } from "../../finance/flow/flow.service.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";
import { type Document, documentFile, keepWording } from "../template/document.service.ts";
import { receiptContent, type ReceiptFacts } from "./receipt.rules.ts";

type Around = {
  lessor: string;
  creditCode: string | null;
  address: string;
  phone: string;
  contractNos: string[];
};

/** What the receipt of a flow says, with the document that it is; refused where nothing was received. */
export async function receiptOf(
  read: Read,
  flowId: number,
): Promise<{ facts: ReceiptFacts; document: Document & { recordId: number } }> {
  const flow = await flowDetailOf(read, flowId);
  if (!hasReceipt(flow)) throw new Refusal("notAllowed", "只有已确认的收款才有收据");
  const { rows } = await sql<Around>`
    select e.name lessor, e.credit_code "creditCode", v.address, v.phone,
      array(select distinct c.contract_no from allocation_standing a join bill b on b.id = a.bill_id
        join contract c on c.id = b.contract_id where a.flow_id = ${flowId} order by 1) "contractNos"
    from village v join enterprise e on e.id = v.enterprise_id where v.id = ${flow.villageId}`.execute(
    read.tx,
  );
  const { lessor, creditCode, address, phone, contractNos } = rows[0]!;
  const { villageId } = flow;
  return {
    document: {
      docKind: "receipt",
      recordId: flowId,
      villageId,
      contractKind: CONTRACT_KINDS.find((kind) => kind === flow.partyKind) ?? null,
    },
    facts: {
      lessor: { name: lessor, creditCode: creditCode ?? "", address, phone },
      party: { name: flow.partyName ?? "", phone: flow.partyPhone ?? "" },
      store: flow.villageName,
      contractNos,
      roomName: flow.roomName ?? "",
      flowNo: flow.flowNo,
      paidOn: flow.paidOn,
      channel: CHANNELS[flow.channel][0],
      payerName: flow.payerName,
      operator: flow.creator,
      remark: flow.remark,
      amount: flow.amount,
      prepaid: toPrepaid(flow),
      lines: receiptLines(flow),
    },
  };
}

/** The receipt as PDF. The first print fixes its words. */
export async function receiptFile(act: Act, flowId: number) {
  const { facts, document } = await receiptOf(act, flowId);
  await keepWording(act, document);
  return documentFile(act, document, { ...receiptContent(facts), name: `收据_${facts.flowNo}` });
}
