import type { Words } from "../../../platform/kernel/field.ts";
import type { ActKind } from "../act/act.rules.ts";
import { type ContractKind, KINDS } from "../terms/kind.rules.ts";

/** What can be done to a running contract, as people call it. */
export const ACT_WORDS = {
  settle: ["退房", "grey"],
  renew: ["续租", "grey"],
  changeRoom: ["换房", "grey"],
  changeTenant: ["转租", "grey"],
  amend: ["变更条款", "grey"],
  addRooms: ["加房", "grey"],
  returnRooms: ["退部分房", "grey"],
  exchangeRooms: ["调换房间", "grey"],
} as const satisfies Words & Record<ActKind, unknown>;

/** A page, and what is asked of it. */
type Place = readonly [path: string, query: Record<string, number | string>];

/** Where an act is worked on. A renewal stands with the contract that ends; what has no page of its own stands in its contract. */
export function actPlace(
  { id, kind }: { id: number; kind: ActKind },
  contract: { id: number; kind: ContractKind },
): Place {
  switch (kind) {
    case "settle":
      return ["/contract/SettleRoomApplicationPage", { id }];
    case "renew":
      return ["/contract/RenewalApplicationPage", { id: contract.id }];
    case "changeRoom":
    case "changeTenant":
      return ["/contract/ChangeRoomManage", { id }];
    default:
      return [KINDS[contract.kind].path, { id: contract.id, part: "changes", change: id }];
  }
}
