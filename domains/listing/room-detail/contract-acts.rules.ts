import type { Permit } from "../../../platform/kernel/call.ts";
import { type Renting, contractCode, contractPage } from "../room/renting.rules.ts";
import type { Occupancy } from "../status/status.rules.ts";

const LEAVING = "/contract/SettleRoomApplicationPage";
const STAYING = "/contract/RenewalApplicationPage";
const MOVING = "/contract/ChangeRoomManage";

/** An act that another page starts: what it needs, and where it is. */
export type Started = {
  label: string;
  need: Permit;
  path: string;
  query: Record<string, string | number>;
};
type Contract = { id: number; number: string; kind: Renting };

/** What is done with the contract of a room as it stands, where the contract's own pages do it. */
export function contractActs({ id, number, kind }: Contract) {
  const [code, path] = [contractCode(kind), contractPage(kind)];
  const leave = (label: string): Started => ({
    label,
    need: "72.add",
    path: LEAVING,
    query: { action: 1, leaving: id },
  });
  const renew = (label: string): Started => ({
    label,
    need: "73.add",
    path: STAYING,
    query: { renewing: id },
  });
  return {
    see: { label: "查看合同", need: `${code}.get`, path, query: { id } },
    moveIn: { label: "办理入住", need: `${code}.edit`, path, query: { id, act: "handover" } },
    void: { label: "作废", need: `#${code}02`, path, query: { id, act: "void" } },
    settle: { label: "继续结算", need: "72.edit", path: LEAVING, query: { keyword: number } },
    move: { label: "换房", need: "96.add", path: MOVING, query: { kind: "room", action: 1, moving: id } },
    leave,
    renew,
  } satisfies Record<string, Started | ((label: string) => Started)>;
}

/** The acts of staying, moving and leaving that suit the room's status, in their order. */
export function tenantActs(occupancy: Occupancy, contract: Contract): Started[] {
  const { leave, renew, move, settle } = contractActs(contract);
  if (occupancy === "occupied")
    // rooms of a company are exchanged by a change of its contract
    return [renew("续租"), ...(contract.kind === "company" ? [] : [move]), leave("退房")];
  if (occupancy === "expiring") return [renew("续租"), leave("退房")];
  if (occupancy === "holdingOver") return [leave("退房结算"), renew("补签续租")];
  return occupancy === "leaving" ? [settle] : [];
}
