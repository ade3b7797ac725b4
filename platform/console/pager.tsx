import { Select } from "antd";
import { PAGE_SIZES } from "../kernel/paging.ts";
import { Icon } from "./icons.tsx";

type Props = {
  pageNo: number;
  pageSize: number;
  total: number;
  set: (pageNo: number, pageSize: number) => void;
};

/** Numbers around the current page with gaps: 1 … 4 5 6 … 20; 0 is a gap. */
export function pageNumbers(now: number, last: number): number[] {
  const near = [
    1,
    now - 1,
    now,
    now + 1,
    last,
    ...(now <= 3 ? [2, 3, 4] : []),
    ...(now >= last - 2 ? [last - 3, last - 2, last - 1] : []),
  ];
  const numbers = [...new Set(near)].filter((n) => n >= 1 && n <= last).toSorted((a, b) => a - b);
  return numbers.flatMap((n, i) => {
    const before = numbers[i - 1] ?? n - 1;
    return n - before === 1 ? [n] : n - before === 2 ? [n - 1, n] : [0, n];
  });
}

export function Pager({ pageNo, pageSize, total, set }: Props) {
  const last = Math.max(1, Math.ceil(total / pageSize));
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
    <nav className="pager" aria-label="分页">
      <span className="dim">共 {total.toLocaleString("en-US")} 条</span>
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
