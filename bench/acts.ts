import { randomUUID } from "node:crypto";
import { DEFAULT_TERMS } from "../domains/contract/terms/plans.rules.ts";
import { endAfter } from "../domains/contract/schedule/months.rules.ts";
import { dayInZone } from "../platform/kernel/day.ts";
import type { Place } from "./place.ts";
import { spread, type CallMeasure } from "./signing.ts";

export type Answer = { id: number; previewHash: string; hash: string; version: number };

export type Send = (method: string, path: string, body?: object) => Promise<Answer>;
/** Sends calls as one person; what is refused throws. */
export const sender =
  (place: Place, token: string): Send =>
  async (method, path, body) => {
    const answer = await fetch(place.base + path, {
      method,
      headers: {
        authorization: token,
        "idempotency-key": randomUUID(),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { code, message, data } = (await answer.json()) as { code: number; message: string; data: Answer };
    if (code !== 200) throw new Error(`${method} ${path}: ${message}`);
    return data;
  };

/** Milliseconds that something takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};

/** A signed paper, which no two acts share. */
export async function scanOf(place: Place, token: string, mark: string): Promise<number> {
  const scan = new FormData();
  const bytes = new Blob([`%PDF-1.4\n% ${mark}\n%%EOF\n`], { type: "application/pdf" });
  scan.append("file", bytes, "scan.pdf");
  const uploaded = await fetch(`${place.base}/system/api/v3/upload`, {
    method: "POST",
    headers: { authorization: token },
    body: scan,
  });
  return ((await uploaded.json()) as { data: Answer }).data.id;
}

/** One call after another, as one clerk at a counter sends them; only the act itself is timed. */
export async function measureActs(
  place: Place,
  times: number,
): Promise<{ sign: CallMeasure; pay: CallMeasure }> {
  const token = await place.token("admin2026");
  const send = sender(place, token);
  return {
    sign: spread(await signings(place, send, token, times)),
    pay: spread(await payments(place, send, times)),
  };
}

async function signings(place: Place, send: Send, token: string, times: number): Promise<number[]> {
  const { rows } = await place.database.pool.query<{
    id: number;
    village_id: number;
    party: number;
    start: string;
  }>(
    // each behind whatever its room is let for, also by an earlier run
    `select r.id, r.village_id, (select min(l.party_id) from party_village l join renter t on t.id = l.party_id where l.village_id = r.village_id) party,
       greatest(current_date + 3000, (select max(upper(o.period)) from occupancy_row o where o.room_id = r.id))::text as start
     from room r where r.is_leaf and r.kind in ('whole', 'room', 'bed')
       and not exists (select from contract_room c join contract k on k.id = c.contract_id
         where c.room_id = r.id and k.state in ('effective', 'expired', 'signing') and k.end_date < current_date)
       and not exists (select from occupancy_row o where o.room_id = r.id and upper_inf(o.period))
     order by r.id desc limit $1`,
    [times],
  );
  const today = dayInZone(new Date());
  const results: number[] = [];
  for (const room of rows) {
    const { start } = room;
    const form = {
      ...DEFAULT_TERMS,
      cycleMonths: 1,
      villageId: room.village_id,
      partyId: room.party,
      start,
      end: endAfter(start, 12),
      rooms: [{ roomId: room.id, monthlyRent: 900_000 }],
      occupants: [],
      remark: "",
    };
    const draft = await send("POST", "/contract/api/v3/contract", form);
    const preview = await send("POST", "/contract/api/v3/contract/preview", { id: draft.id });
    await send("POST", `/contract/api/v3/contract/${draft.id}/submit`, { previewHash: preview.previewHash });
    const fileId = await scanOf(place, token, String(draft.id));
    const act = { fileIds: [fileId], signedOn: today, previewHash: preview.previewHash };
    results.push(await timed(() => send("POST", `/contract/api/v3/contract/${draft.id}/sign/offline`, act)));
  }
  return results;
}

async function payments(place: Place, send: Send, times: number): Promise<number[]> {
  const { rows } = await place.database.pool.query<{
    village_id: number;
    party_id: number;
    account: number;
    bill: number;
    line: number;
  }>(
    `select distinct on (b.party_id) b.village_id, b.party_id, 5 account, b.id bill, l.id line
     from bill b join bill_line l on l.bill_id = b.id and l.outstanding > 20000
     where b.outstanding > 0 and b.direction = 'receivable' and b.voided_at is null order by b.party_id desc, b.due_date, l.id limit $1`,
    [times],
  );
  const results: number[] = [];
  for (const { village_id: villageId, party_id: partyId, account, bill, line } of rows) {
    const wants = [{ billId: bill, lineId: line }];
    const want = {
      villageId,
      partyId,
      amount: 10_000,
      channel: "cash",
      merchantAccountId: account,
      wants,
    };
    const { hash } = await send("POST", "/billing/api/v3/flow/preview", want);
    results.push(
      await timed(() => send("POST", "/billing/api/v3/flow/receive", { ...want, previewHash: hash })),
    );
  }
  return results;
}
