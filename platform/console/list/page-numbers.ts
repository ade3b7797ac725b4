/** Of none there is still one page, an empty one. */
export const lastPage = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize));

/** The page that is shown of rows of which some may have gone since it was chosen. */
export const pageWithin = (
  total: number,
  { pageNo, pageSize }: { pageNo: number; pageSize: number },
): number => Math.min(pageNo, lastPage(total, pageSize));

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

/** How many there are; a mark of omission while they are counted. */
export const countText = (total: number | undefined): string => total?.toLocaleString("en-US") ?? "…";
