import type { Call } from "../../kernel/call.ts";
import { useAct } from "../calls/mutation.ts";
import { Button } from "../parts/button.tsx";

type Props = {
  /** What came. */
  said: string;
  /** What going back takes away, as a question. */
  ask: string;
  undo: Call;
  batch: { id: number; version: number };
  onClose: () => void;
};

/** After an import: what it brought, and the way back while nobody has worked on it. */
export function ImportedBar({ said, ask, undo, batch: { id, version }, onClose }: Props) {
  const act = useAct();
  const back = async () => {
    const how = { done: "已撤销导入", ask: { title: "撤销导入", body: ask } };
    if ((await act(undo, { params: { id }, body: { version } } as never, how)) !== undefined) onClose();
  };
  return (
    <div className="notice s-green">
      <span className="grow">{said}</span>
      <Button size="sm" run={back}>
        撤销导入
      </Button>
      <Button size="sm" run={onClose}>
        知道了
      </Button>
    </div>
  );
}
