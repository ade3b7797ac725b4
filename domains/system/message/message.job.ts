import { job } from "../../../platform/server/jobs/jobs.ts";
import { deliver, sweep } from "./message.service.ts";

export default [
  job({
    name: "message.deliver",
    on: ["message.told"],
    work: (act, { messageId, to }) => deliver(act, Number(messageId), (to as number[]).map(Number)),
  }),
  job({ name: "message.sweep", title: "清理历史消息", cron: "20 4 * * *", work: sweep }),
];
