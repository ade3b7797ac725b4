import { job } from "../../../platform/server/jobs/jobs.ts";
import { registerApplied } from "../../access/application/application.contract.ts";
import { messageTold } from "./message.contract.ts";
import { deliver, sweep, tell } from "./message.service.ts";

export default [
  /** A new customer waits: whoever runs the platform hears of it. */
  job({
    name: "message.register",
    on: registerApplied,
    work: async (act, { id, number, companyName, realName }) => {
      const supers = await act.tx
        .selectFrom("operator")
        .select("id")
        .where("superType", "=", "0")
        .where("state", "=", "active")
        .execute();
      await tell(act, {
        to: supers.map((o) => o.id),
        type: 7,
        title: `${String(companyName)} 申请注册`,
        content: "请在权限管理的“注册申请”中审核",
        bizType: "registerApplication",
        bizId: Number(id),
        facts: [
          ["申请编号", String(number)],
          ["申请人", String(realName)],
        ],
        once: `register ${Number(id)}`,
      });
    },
  }),
  job({
    name: "message.deliver",
    on: messageTold,
    work: (act, { messageId, to }) => deliver(act, messageId, to),
  }),
  job({ name: "message.sweep", title: "清理历史消息", cron: "20 4 * * *", work: sweep }),
];
