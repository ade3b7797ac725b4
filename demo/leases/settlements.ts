import { sql } from "kysely";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { Cipher } from "../../platform/server/secrets/cipher.ts";
import type { Database } from "../../platform/server/database/database.ts";
import type { SettleDraft } from "../../domains/contract/settlement/settlement.contract.ts";
import { present } from "../../domains/contract/settle-link/link.service.ts";
import { CONFIG_DEFAULTS } from "../../domains/contract/config/config.rules.ts";
import { SETTLE } from "../../domains/contract/settlement/settlement.service.ts";
import { stepsOf } from "../../domains/contract/act/act.service.ts";
import { contractRecord } from "../../domains/contract/contract/record.queries.ts";
import { closeTurnovers } from "../../domains/listing/turnover/turnover.service.ts";
import { acting } from "../acting.ts";

type Store = Pick<Database, "pool" | "db"> & { cipher: Cipher };
/** How far each leaving of the demo has come, in how many days its tenant leaves, and why. */
const FATES = [
  { upTo: "asked", leaves: 12, reason: "工作调动，换到外地" },
  { upTo: "asked", leaves: 3, reason: "买了自己的房子" },
  { upTo: "submitted", leaves: 0, reason: "家中有事提前回老家" },
  { upTo: "agreed", leaves: -5, reason: "孩子上学搬到学校附近" },
  { upTo: "settled", leaves: -6, reason: "公司搬迁，换租到滨江" },
] as const;

const settle = stepsOf(SETTLE);

/** Tenants who leave before the end of their lease, each at another step. */
export async function makeSettlements(
  store: Store,
  people: { clerk: number; manager: number },
  today: Day,
): Promise<void> {
  const { rows } = await sql<{ id: number; cleaning: number; electric: number }>`
    select c.id, s.id cleaning, e.id electric
    from contract c
    join fee_subject s on s.enterprise_id = c.enterprise_id and s.code = 'cleaning'
    join fee_subject e on e.enterprise_id = c.enterprise_id and e.code = 'electric'
    where c.state = 'effective' and c.kind = 'renter' and c.handover_on is not null and c.source <> 'import'
      and c.start_date < ${addDays(today, -60)}::date and c.end_date > ${addDays(today, 60)}::date
      and c.village_id = any(array(select unnest(village_ids) from operator where id = ${people.clerk}))
      and not exists (select from refund r where r.contract_id = c.id or r.party_id = c.party_id)
      and not exists (select from reservation r where r.party_id = c.party_id)
    order by c.village_id, c.id desc limit ${FATES.length * 4}`.execute(store.db);
  const found = rows.filter((_, i) => i % 4 === 3);
  const at = (ago: number, clock: string) => new Date(`${addDays(today, -ago)}T${clock}:00+08:00`);
  for (const [i, { upTo, leaves, reason }] of FATES.entries()) {
    const contract = found[i];
    if (!contract) return;
    const asked = 5 - Math.min(leaves, 0);
    const draft: SettleDraft = {
      effectiveOn: addDays(today, leaves),
      endReason: "early",
      noticeOn: addDays(today, -asked),
      reason,
      penaltyReason: "",
      charges:
        upTo === "asked"
          ? []
          : [
              {
                kind: "utility",
                feeId: contract.electric,
                title: "电费",
                quantity: "86",
                price: 80,
                amount: 6_880,
                clause: "",
                note: "退房抄表",
              },
              {
                kind: "cleaning",
                feeId: contract.cleaning,
                title: "退房保洁",
                amount: 15_000,
                clause: "房屋交还",
                note: "厨房油污",
              },
            ],
    };
    const asking = await acting(store, people.clerk, at(asked, "10:15"), (act) =>
      settle.ask(act, { contractId: contract.id, ...draft }),
    );
    const { id } = asking;
    let { version } = asking;
    if (upTo === "asked") continue;
    const now = at(Math.max(-leaves, 0), "15:30");
    const hash = await acting(store, people.clerk, now, async (act) => {
      const weighed = await SETTLE.weigh(act, await contractRecord(act, contract.id), draft);
      return weighed.previewHash;
    });
    ({ version } = await acting(store, people.clerk, now, (act) =>
      settle.submit(act, id, { version, previewHash: hash }),
    ));
    if (upTo === "submitted") continue;
    ({ version } = await acting(store, people.clerk, now, (act) =>
      present(act, id, { version, how: "hand" }),
    ));
    const answered = at(Math.max(-leaves - CONFIG_DEFAULTS.silentDays, 0), "16:00");
    const agreed = {
      how: "page",
      note: "租客在线确认",
      on: addDays(today, Math.min(leaves + CONFIG_DEFAULTS.silentDays, 0)),
    };
    ({ version } = await acting(store, people.clerk, answered, (act) =>
      settle.step(act, id, version, "agree", {
        set: { agreed: JSON.stringify(agreed) },
        text: agreed.note,
      }),
    ));
    if (upTo === "agreed") continue;
    await acting(store, people.manager, answered, async (act) => {
      const weighed = await SETTLE.weigh(act, await contractRecord(act, contract.id), draft);
      return settle.confirm(act, id, { version, previewHash: weighed.previewHash });
    });
  }
}

/** Rooms that tenants left are cleaned two days later; those of the last days still wait for it. */
export async function cleanRooms(store: Store, admin: number, today: Day): Promise<void> {
  const { rows } = await sql<{ id: number; openedDay: Day }>`
    select id, opened_day "openedDay" from turnover
    where source = 'settlement' and done_day is null and opened_day < ${addDays(today, -2)}::date
    order by id`.execute(store.db);
  for (const { id, openedDay } of rows) {
    const doneDay = addDays(openedDay, 2);
    await acting(store, admin, new Date(`${doneDay}T17:30:00+08:00`), (act) =>
      closeTurnovers(act, [id], { doneDay, checklist: [], fileIds: [], note: "" }),
    );
  }
}
