import { sql } from "kysely";
import { keyword, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import type { SignedKind } from "./esign.rules.ts";
import { waitingSeals } from "./esign.contract.ts";

type Row = {
  id: number;
  contractId: number;
  kind: ContractKind;
  contractNo: string;
  docKind: SignedKind;
  actNo: string;
  villageName: string;
  roomNames: string;
  partyName: string;
  signedAt: string | null;
  waitsSince: string;
  flowNo: string;
};

/** Signings whose next act is the enterprise's seal, the longest waiting first. */
export const waiting = listOf(waitingSeals, {
  id: "w.id",
  from: sql`sign_flow w join contract c on c.id = w.contract_id`,
  village: "w.village_id",
  scope: () => sql`w.ended_at is null and w.provider = 'embedded' and exists (select 1 from sign_signer s
    where s.flow_id = w.id and s.role = 'enterprise' and s.state = 'waiting')
    and (w.sign_order = 'enterpriseFirst' and w.state = 'created'
      or w.sign_order = 'partyFirst' and w.state = 'signing' and not exists (select 1 from sign_signer s
        where s.flow_id = w.id and s.role <> 'enterprise' and s.state <> 'signed'))`,
  where: { keyword: keyword(phrase("c.party_name", "c.room_names", "c.contract_no")) },
  sort: { signedAt: "w.updated_at" },
  order: "signedAt",
  way: "asc",
  columns: sql<Row>`w.id, c.id "contractId", c.kind, c.contract_no "contractNo", w.doc_kind "docKind", coalesce(a.act_no, '') "actNo", v.name "villageName",
    c.room_names "roomNames", c.party_name "partyName", p.signed_at "signedAt",
    coalesce(p.signed_at, w.created_at) "waitsSince", w.flow_no "flowNo"`,
  join: sql`join sign_flow w on w.id = page.id join contract c on c.id = w.contract_id join village v on v.id = w.village_id
    left join contract_act a on a.id = w.act_id
    left join lateral (select max(s.signed_at) signed_at from sign_signer s
      where s.flow_id = w.id and s.role <> 'enterprise') p on true`,
  rows: (rows, { now }) =>
    rows.map(({ waitsSince, ...row }) => ({
      ...row,
      waitedMinutes: Math.floor((now.getTime() - new Date(waitsSince).getTime()) / 60_000),
    })),
});
