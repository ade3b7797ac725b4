import { Select } from "antd";
import { PAGE_SIZES } from "../../kernel/paging.ts";
import { Icon } from "../parts/icons.tsx";
import { countText, lastPage, pageNumbers } from "./page-numbers.ts";

type Props = {
  pageNo: number;
  pageSize: number;
  /** undefined while it is counted. */
  total: number | undefined;
  /** There may be a page after this one, which is not known before all are counted. */
  full?: boolean;
  /** There where counting failed. */
  recount?: (() => unknown) | undefined;
  set: (pageNo: number, pageSize: number) => void;
};

export const Recount = ({ run }: { run: () => unknown }) => (
  <button type="button" className="linkish" onClick={run}>
    条数未能统计，重试
  </button>
);

export function Pager({ pageNo, pageSize, total, full = false, recount, set }: Props) {
  const last = total === undefined ? pageNo + Number(full) : lastPage(total, pageSize);
  const step = (to: number, label: string, icon: "left" | "right") => (
    <button
      type="button"
      className="pager__pg"
      aria-label={label}
      disabled={to < 1 || to > last}
      onClick={() => set(to, pageSize)}
    >
      <Icon name={icon} size={14} />
    </button>
  );
  return (
    <nav className="pager row gap-2 fs-13" aria-label="分页">
      {recount ? (
        <Recount run={recount} />
      ) : (
        <span className="dim" aria-busy={total === undefined}>
          共 {countText(total)} 条
        </span>
      )}
      <span className="grow" />
      {step(pageNo - 1, "上一页", "left")}
      {pageNumbers(pageNo, last).map((n, i) =>
        n ? (
          <button
            key={n}
            type="button"
            className={`pager__pg ${n === pageNo ? "on" : ""}`}
            aria-current={n === pageNo ? "page" : undefined}
            onClick={() => set(n, pageSize)}
          >
            {n}
          </button>
        ) : (
          <span key={`gap${i}`} className="dim">
            …
          </span>
        ),
      )}
      {step(pageNo + 1, "下一页", "right")}
      <Select
        aria-label="每页条数"
        value={pageSize}
        options={PAGE_SIZES.map((n) => ({ value: n, label: `${n} 条/页` }))}
        onChange={(n) => set(1, n)}
      />
    </nav>
  );
}
