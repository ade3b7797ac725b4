import { useEffect, useState } from "react";
import type { Need } from "../../../platform/kernel/call.ts";
import { useRefresh } from "../../../platform/console/calls/mutation.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { askReason } from "../../../platform/console/form/reason.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import "./record.css";

const SHOWN_S = 30;

type Props = {
  title: string;
  masked: string | null;
  need: Need;
  reveal: (reason: string) => Promise<{ value: string }>;
};

/** A number that is masked; whoever may, sees it whole for half a minute after saying why. It is kept nowhere. */
export function SecretText({ title, masked, need, reveal }: Props) {
  const refresh = useRefresh();
  const [whole, setWhole] = useState<string>();
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (!left) return setWhole(undefined);
    const tick = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(tick);
  }, [left]);
  if (!masked) return NONE;
  const ask = () =>
    askReason(
      { title: `查看完整${title}`, text: `内容显示 ${SHOWN_S} 秒，查看人和原因会记入日志。`, ok: "查看" },
      async (reason) => {
        const { value } = await reveal(reason);
        setWhole(value);
        setLeft(SHOWN_S);
        void refresh();
      },
    );
  return (
    <span className="secret">
      {whole ? (
        <button type="button" className="linkish" title="复制" onClick={() => void copy(whole)}>
          {whole}
        </button>
      ) : (
        masked
      )}
      {whole && <small className="dim">{left} 秒</small>}
      {!whole && may(need) && <IconButton icon="eye" size={14} small label={`查看完整${title}`} run={ask} />}
    </span>
  );
}
