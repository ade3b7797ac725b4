import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { outboxFilled } from "../../access/sms/sms.contract.ts";
import { logWritten } from "./notice.service.ts";
import { begin, sendTask } from "./send.service.ts";
import { typedTask } from "./push.service.ts";
import { pushScheduled, pushSending } from "./push.contract.ts";

/** Begins what is due, and takes up again what nobody has been sending since a server died. */
async function due(act: Act): Promise<number> {
  const rows = await act.tx
    .selectFrom("pushTask")
    .selectAll()
    .where("state", "=", "scheduled")
    .where("sendAt", "<=", act.now.toISOString())
    .orderBy("id")
    .forUpdate()
    .skipLocked()
    .execute();
  const begun = await eachByItself(
    act,
    rows,
    ({ number }) => number,
    (row) => begin(act, typedTask(row)),
  );
  const going = await act.tx.selectFrom("pushTask").select("id").where("state", "=", "sending").execute();
  for (const { id } of going) if (!rows.some((row) => row.id === id)) await act.emit(pushSending, { id });
  return begun;
}

export default [
  job({ name: "push.due", title: "定时推送", cron: "* * * * *", on: pushScheduled, work: due }),
  job({
    name: "push.send",
    on: pushSending,
    transaction: false,
    work: (_act, { id }, house) => sendTask(house, id),
  }),
  job({ name: "push.logged", on: outboxFilled, work: (act, { id }) => logWritten(act, id) }),
];
