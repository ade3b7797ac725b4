import { Icon } from "../../../platform/console/icons.tsx";
import type { ImportState } from "./import.rules.ts";

const STEPS = ["下载模板", "上传检查", "预览确认", "完成"];

/** Where a batch stands among the steps. */
export const stepOf = (state: ImportState): number =>
  state === "ready" ? 2 : state === "checking" || state === "failed" ? 1 : 3;

export const Steps = ({ at, bad = false }: { at: number; bad?: boolean }) => (
  <ol className="steps">
    {STEPS.map((title, i) => (
      <li
        key={title}
        className={i < at ? "done" : i === at ? (bad ? "on bad" : "on") : ""}
        aria-current={i === at ? "step" : undefined}
      >
        <b>{i < at ? <Icon name="check" size={12} /> : i + 1}</b>
        {title}
      </li>
    ))}
  </ol>
);
