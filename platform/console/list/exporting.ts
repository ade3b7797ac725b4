import type { Call } from "../../kernel/call.ts";
import type { ExportCall } from "../../kernel/export.ts";
import { askText } from "../form/reason.tsx";
import { download } from "../calls/request.ts";
import { shapeOf } from "./list-schema.ts";
import { toast } from "../parts/toast.ts";

type Sent = { params?: Record<string, unknown> | undefined; query: Record<string, unknown> };

/** What the list's own query carries and an export does not need. */
const PAGING = new Set(["pageNo", "pageSize", "want"]);

/**
 * Saves the list as shown: same filter and order, same columns. Personal data leave only with a word on what for.
 * Above the limit the server makes it a task and says so.
 */
export async function exportList(call: ExportCall, sent: Sent, columns: readonly string[]): Promise<void> {
  const known = shapeOf(call.query);
  const filter = Object.fromEntries(
    Object.entries(sent.query).filter(([key]) => key in known && !PAGING.has(key)),
  );
  const save = async (usage?: string) => {
    const query = { ...filter, columns: columns.join(","), usage };
    const task = await download(call as Call<undefined>, { params: sent.params, query } as never);
    if (task !== undefined) toast("已提交导出任务，请到下载中心查看", "info");
  };
  if (!call.exporting.personal) return save();
  await askText(
    {
      title: `导出${call.exporting.title}`,
      text: "导出内容含个人信息，请填写用途",
      ok: "导出",
      placeholder: "用途（2-100字）",
      wrong: "请填写用途（2-100字）",
      most: 100,
    },
    save,
  );
}
