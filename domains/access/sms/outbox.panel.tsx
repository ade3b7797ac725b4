import { doing } from "../../../platform/console/parts/actions.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import { listOutbox, resend } from "./sms.contract.ts";

/** 短信发件箱: what left the house by text message; without a provider, where its codes are read. */
export default function OutboxPanel() {
  return (
    <ListPage
      call={listOutbox}
      unit="条"
      sort={{ sort: "createdAt", order: "desc" }}
      filters={["state", "from", "keyword"]}
      columns={[
        "createdAt",
        "phone",
        "template",
        { key: "text", width: 220 },
        "state",
        "attempts",
        "carrier",
        "sentAt",
        { key: "error", width: 240 },
      ]}
      rowActions={(row) => [
        {
          label: "重发",
          why: row.state === "failed" ? undefined : "只能重发发送失败的短信",
          ...doing(resend, { params: { id: row.id } }, "已重新加入发送队列"),
        },
      ]}
      emptyText="还没有发出过短信"
    />
  );
}
