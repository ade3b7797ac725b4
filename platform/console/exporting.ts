import type { Call } from "../kernel/call.ts";
import { download } from "./request.ts";
import { shapeOf } from "./schema.ts";
import { toast } from "./toast.ts";

export type ExportCall = Call;

/** Saves the list as shown: same filter, same columns. Above the limit the server makes it a job and says so. */
export async function exportList(
  call: ExportCall,
  sent: { params?: Record<string, unknown> | undefined; query: Record<string, unknown> },
  columns: readonly string[],
): Promise<void> {
  const { pageNo: _page, pageSize: _size, ...filter } = sent.query;
  const known = shapeOf(call.query);
  const query = "columns" in known ? { ...filter, columns: columns.join(",") } : filter;
  const job = await download(call as Call<undefined>, { params: sent.params, query } as never);
  if (job !== undefined) toast("已提交导出任务，请到下载中心查看", "info");
}
