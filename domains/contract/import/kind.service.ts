import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { createRenters } from "../../customer/import/renters.service.ts";
import { renterInput } from "../../customer/renter/renter.contract.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { isAttached } from "../terms/product.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { COLUMNS, type ColumnKey, RULES, SAMPLES } from "./columns.rules.ts";
import type { Person, Planned } from "./planned.rules.ts";
import { meet, type Met, type Place } from "./places.queries.ts";
import { OF_RENTERS, type Reading } from "./row.rules.ts";

/** The row of a contract whose tenant is looked for. */
export type Meeting = Met & { row: Row; villageId: number };

/** What differs between the kinds of running contracts that are taken over. */
export type OpeningKind = {
  kind: ContractKind;
  needs: Permit;
  things: string;
  /** What its jobs are called. */
  work?: string;
  columns: readonly ImportColumn<ColumnKey>[];
  rules: readonly string[];
  /** Words that the template offers beside the stores. */
  words?: (read: Read) => Promise<Record<string, readonly string[]>>;
  samples: readonly Partial<Record<ColumnKey, string | number>>[];
  reading: Reading;
  /** Further rows bring further rooms. */
  several: boolean;
  /** Says which of the rooms of a contract, by their places, it may not let. */
  refuseRooms: (
    rooms: readonly Pick<Place, "kind" | "name">[],
    say: (at: number, msg: string) => void,
  ) => void;
  /** Who stands behind each row, by its number; says in the rows where nobody can. */
  meet: (read: Read, rows: readonly Meeting[]) => Promise<ReadonlyMap<number, Person>>;
  /** Registers who is new, one row to each; answers their ids. */
  register: (act: Act, fresh: readonly Planned[]) => Promise<number[]>;
};

export const RENTERS: OpeningKind = {
  kind: "renter",
  needs: "9.import",
  things: "在租合同",
  columns: COLUMNS,
  rules: RULES,
  samples: SAMPLES,
  reading: OF_RENTERS,
  several: false,
  refuseRooms: ([room], say) => {
    if (room?.kind === "shop") say(0, "商铺请签商户合同");
    else if (room && isAttached(room.kind)) say(0, "车位和储藏间只能随房出租");
  },
  meet: async (read, rows) => {
    const { people, wrong } = await meet(read, rows);
    for (const { n, row } of rows) {
      const msg = wrong.get(n);
      if (msg) row.add("certNo", msg);
    }
    return people;
  },
  register: (act, fresh) =>
    createRenters(
      act,
      fresh.map((p) => renterInput.parse({ ...p.row.tenant, source: "other", homeVillageId: p.villageId })),
      null,
    ),
};
