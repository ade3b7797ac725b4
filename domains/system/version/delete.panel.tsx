import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { confirm } from "../../../platform/console/parts/dialog.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { addVersion, deleteVersion } from "./version.contract.ts";

/** Only whoever runs the platform writes notes. */
export const mayWrite = (): boolean => may(addVersion.needs);

/** Asks, then deletes a note. */
export function useDelete() {
  const refresh = useRefresh();
  return (note: { id: number; version: string }) =>
    confirm({
      title: "删除版本",
      body: `确定删除版本“${note.version}”吗？`,
      ok: "删除",
      width: 460,
      run: async () => {
        await send(deleteVersion, { params: { id: note.id } });
        toast("版本删除成功");
        void refresh();
      },
    });
}
