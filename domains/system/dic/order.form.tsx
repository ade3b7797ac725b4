import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave, Dialog } from "../../../platform/console/parts/dialog.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { groupsOf } from "./dic.rules.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** The order in which forms offer the words of a group. */
export function OrderForm({
  calls,
  group,
  onClose,
}: {
  calls: DicCalls;
  group: string;
  onClose: () => void;
}) {
  const act = useAct();
  const [chosen, setChosen] = useState<number[]>();
  const { data, error, refetch } = useQuery({
    queryKey: ["dic", calls.kind, group, "order"],
    queryFn: ({ signal }) =>
      sendWire<{ list: DicItem[] }>(
        calls.list,
        { query: { group, pageSize: 200, sort: "sort", order: "asc", want: "rows" } },
        { signal },
      ),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  const was = data?.list.map((item) => item.id) ?? [];
  const ids = chosen ?? was;
  const named = new Map(data?.list.map((item) => [item.id, item.name]));
  const dirty = ids.join() !== was.join();
  const close = async () => {
    if (!dirty || (await confirmLeave())) onClose();
  };
  const save = async () => {
    if (await act(calls.order, { body: { group, was, ids } }, { done: "顺序已保存" })) onClose();
  };
  return (
    <Dialog
      title={`${groupsOf(calls.kind)[group]!.title}的顺序`}
      width={420}
      onClose={() => void close()}
      footer={
        <Foot cancel={close}>
          <Button look="main" why={dirty ? undefined : "顺序没有变化"} run={save}>
            保存
          </Button>
        </Foot>
      }
    >
      {error && !data ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <Ordered
          label="顺序"
          items={ids.map((id) => ({ key: id, title: named.get(id) ?? "" }))}
          onChange={setChosen}
        />
      ) : (
        <RowsSkeleton rows={6} />
      )}
    </Dialog>
  );
}
