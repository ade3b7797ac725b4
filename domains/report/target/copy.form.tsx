import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillageSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Code } from "../overview/overview.rules.ts";
import { copyTargets } from "./target.contract.ts";

/** The year of one store, given to others; what stands there is replaced. */
export const CopyForm = ({ code, year, onClose }: { code: Code; year: number; onClose: () => void }) => (
  <FormDialog
    call={copyTargets}
    title={`复制 ${year} 年目标`}
    ok="复制"
    done="目标已复制"
    initial={{ code, year }}
    fields={[
      { key: "from", input: (p) => <VillageSelect {...p} /> },
      {
        key: "to",
        title: "目标门店",
        help: "目标门店原有的目标将被覆盖",
        input: (p) => (
          <VillagesSelect value={p.value ?? []} onChange={p.onChange} width={260} placeholder="请选择门店" />
        ),
      },
      { key: "note", help: "修改已结束的月份须填写" },
    ]}
    onClose={onClose}
  />
);
