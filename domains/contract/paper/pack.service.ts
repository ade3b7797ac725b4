import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Pack } from "../../../platform/server/sheets/export.ts";
import { contracts, demand } from "../contract/contract.queries.ts";
import { packPapers, type ContractFilter, type ContractTab } from "../contract/contract.contract.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { PAPER_TITLES } from "./paper.rules.ts";
import { paperOf } from "./paper.queries.ts";
import { printed } from "../../system/paper/print.service.ts";

type Signed = { id: number; contractNo: string; partyName: string };
type Kept = { name: string; key: string };

/** What no system takes in the name of a file. */
const plain = (name: string) => name.replaceAll(/[\\/:*?"<>|\s]+/g, "_");

const keptOf = async (read: Read, contractId: number): Promise<Kept[]> =>
  (
    await sql<Kept>`
      select f.name, f.storage_key key from contract_document d join stored_file f on f.id = d.file_id
      where d.contract_id = ${contractId} and d.kind = 'signed' order by d.id`.execute(read.tx)
  ).rows;

/** The papers of the signed contracts of a filter: what was kept when they were signed, in a folder where it is much. */
export const packed: Pack<ContractFilter & { tab: ContractTab }> = async function* (read, query, passed) {
  demand(read.who, query.kind, packPapers.needs);
  const { rows } = await sql<Signed>`
    select c.id, c.contract_no "contractNo", c.party_name "partyName" from contract c
    where ${await contracts.condition(read, query)} and c.signed_on is not null
    order by c.id`.execute(read.tx);
  const mark = await markOf(read, "pdfs");
  let through = 0;
  for (const { id, contractNo, partyName } of rows) {
    const name = plain(`${contractNo}_${partyName}`);
    const kept = await keptOf(read, id);
    for (const [i, file] of kept.entries()) {
      const path = kept.length > 1 ? `${name}/${i + 1}_${plain(file.name)}` : `${name}_${plain(file.name)}`;
      yield { name: path, content: [await read.files.get(file.key)] };
    }
    if (!kept.length) {
      const contract = await contractRecord(read, id);
      yield {
        name: `${name}.pdf`,
        content: [
          await printed(await paperOf(read, contract), `${PAPER_TITLES[contract.kind]} ${contractNo}`, mark),
        ],
      };
    }
    await passed(++through);
  }
};
