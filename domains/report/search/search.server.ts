import { allows } from "../../../platform/kernel/call.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { findContracts } from "../../contract/contract/find.service.ts";
import { CONTRACT_KINDS } from "../../contract/terms/kind.rules.ts";
import { findParties } from "../../customer/choice/choice.service.ts";
import { findBills } from "../../finance/bill/bill.service.ts";
import { findRooms } from "../../listing/room/room.service.ts";
import { findRecords } from "./search.contract.ts";
import { KINDS, MOST, type FoundKind } from "./search.rules.ts";

export default [
  serveRead(findRecords, async (read, { query: { keyword } }) => {
    const sees = (kind: FoundKind) => allows(read.who.permits, KINDS[kind].need);
    const kinds = CONTRACT_KINDS.filter((kind) => sees(`${kind}Contract`));
    // who they are also tells which contracts and bills are meant
    const [rooms, parties] = await Promise.all([
      findRooms(read, keyword, MOST),
      findParties(read, keyword, MOST),
    ]);
    const of = { kinds, parties: parties.map((p) => p.id), rooms: rooms.map((r) => r.id) };
    const [contracts, bills] = await Promise.all([
      kinds.length ? findContracts(read, keyword, of, MOST) : [],
      sees("bill") ? findBills(read, keyword, of.parties, MOST) : [],
    ]);
    return [
      ...(sees("room") ? rooms.map((r) => ({ kind: "room" as const, ...r })) : []),
      ...parties.filter((p) => sees(p.kind)).toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind]),
      ...contracts.map((c) => ({ ...c, kind: `${c.kind}Contract` as const })),
      ...bills.map((b) => ({ kind: "bill" as const, ...b })),
    ];
  }),
];

const ORDER = { renter: 0, company: 1, merchant: 2 };
