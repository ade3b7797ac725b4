import { job } from "../../../platform/server/jobs/jobs.ts";
import { deliver, sweep } from "./message.service.ts";
import { messageTold } from "./message.contract.ts";

export default [
  job({
    name: "message.deliver",
    on: messageTold,
    work: (act, { messageId, to }) => deliver(act, messageId, to),
  }),
  job({ name: "message.sweep", title: "清理历史消息", cron: "20 4 * * *", work: sweep }),
];
