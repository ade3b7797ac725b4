import { useQuery } from "@tanstack/react-query";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { getFlow } from "./flow.contract.ts";
import { Slip } from "./slip.panel.tsx";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** The receipt of a flow as it stands now, to be printed again. */
export function SlipDialog({ flowId, onClose }: { flowId: number; onClose: () => void }) {
  const { data: flow, error, refetch } = useQuery(ask(getFlow, { params: { id: flowId } }));
  return (
    <Dialog
      title="收据"
      width={820}
      onClose={onClose}
      footer={
        <Foot cancel={onClose} word="关闭">
          <Button look="main" icon="print" why={flow ? undefined : "正在加载"} run={() => print()}>
            打印
          </Button>
        </Foot>
      }
    >
      {flow ? (
        <Slip
          of={{
            ...flow,
            partyName: flow.partyName ?? "",
            rooms: flow.roomName ?? "",
            lines: flow.allocations.filter((a) => a.undoesId === null && !a.undone),
            prepaid: flow.unallocated,
            operator: flow.creator,
          }}
        />
      ) : error ? (
        <Broken error={error} retry={refetch} />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
