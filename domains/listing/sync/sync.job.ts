import { sql } from "kysely";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { alone } from "../../../platform/server/database/exclusive.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import {
  ADAPTERS_BY_NAME,
  aroundOf,
  feel,
  noteEvent,
  sendDue,
  takeEnquiry,
} from "../channel/send.service.ts";
import { channelById, type Channel } from "../channel/channel.queries.ts";
import { evaluate } from "./evaluate.service.ts";
import { roomChanged } from "../occupancy/occupancy.contract.ts";

const FETCH_EVERY_MS = 60_000;

/** Something of its own, in a transaction of its own. */
const stepsOf =
  (house: House) =>
  <T>(work: (act: Act) => Promise<T>): Promise<T> =>
    house.database.db
      .transaction()
      .execute((tx) =>
        work(actOf(house, tx, nobody, { requestId: "listing.run", ip: "", userAgent: "job" })),
      );

/** Looks at the rooms that changed, sends what waits and fetches enquiries, channel by channel. */
export async function runChannels(house: House, only?: number): Promise<number> {
  const step = stepsOf(house);
  const channels = await step(async (act) => {
    const rows = await act.tx
      .selectFrom("channel")
      .select(["id", "name"])
      .$if(only !== undefined, (q) => q.where("id", "=", only!))
      .orderBy("id")
      .execute();
    return rows;
  });
  // one channel that breaks does not hold up the others
  return eachAlone(
    channels,
    ({ name }) => name,
    ({ id }) => runChannel(house, id),
  );
}

async function runChannel(house: House, id: number): Promise<number> {
  const step = stepsOf(house);
  const looked = await step(async (act) => {
    // whoever comes second waits for the first, and then sees what changed meanwhile
    await sql`select pg_advisory_xact_lock(hashtext('listing.look'), ${id}::int)`.execute(act.tx);
    const channel = await channelById(act, id);
    return channel && { channel, moved: await evaluate(act, channel) };
  });
  if (!looked) return 0;
  const { channel, moved } = looked;
  const speaks = !ADAPTERS_BY_NAME[channel.adapter].direct;
  if (!speaks) return moved;
  const sent = await alone(house.database.pool, "listing.run", id, () => speak(channel, step));
  return moved + (sent ?? 0);
}

async function speak(channel: Channel, step: ReturnType<typeof stepsOf>): Promise<number> {
  const sent = await sendDue(channel, step);
  await fetchEnquiries(channel, step);
  return sent;
}

async function fetchEnquiries(channel: Channel, step: ReturnType<typeof stepsOf>): Promise<void> {
  if (!channel.enabled || !channel.config["leadsUrl"]) return;
  const around = await step(async (act) => aroundOf(act));
  if (channel.leadsAt && around.now.getTime() - Date.parse(channel.leadsAt) < FETCH_EVERY_MS) return;
  const began = performance.now();
  const { fetchLeads } = ADAPTERS_BY_NAME[channel.adapter];
  try {
    const found = await fetchLeads(channel, channel.leadsAt, around);
    // one that the channel cannot place does not hold up the others
    for (const enquiry of found) await step((act) => takeEnquiry(act, channel, enquiry)).catch(() => false);
    await step((act) =>
      act.tx
        .updateTable("channel")
        .set({ leadsAt: around.now.toISOString() })
        .where("id", "=", channel.id)
        .execute(),
    );
  } catch (error) {
    const answer = (error as Error).message;
    await step(async (act) => {
      const outcome = { ok: false, answer };
      await noteEvent(act, {
        channelId: channel.id,
        act: "fetchLeads",
        outcome,
        millis: performance.now() - began,
      });
      await feel(act, channel, 1, 1, answer.slice(0, 200));
    });
  }
}

/** Words with channels are kept for ninety days. */
async function forgetEvents(act: Act): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from listing_event where at < ${act.now.toISOString()}::timestamptz - interval '90 days'`.execute(
    act.tx,
  );
  return Number(numAffectedRows ?? 0);
}

export default [
  job({
    name: "listing.run",
    title: "房源同步",
    cron: "* * * * *",
    on: roomChanged,
    transaction: false,
    work: (_act, data, house) => runChannels(house, data.channelId),
  }),
  job({ name: "listing.forget", title: "清理房源同步日志", cron: "40 3 * * *", work: forgetEvents }),
];
