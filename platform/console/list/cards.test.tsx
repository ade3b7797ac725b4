import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Cards } from "./cards.tsx";

const shown = (of: number, total: number, more?: () => unknown) =>
  renderToStaticMarkup(
    <Cards
      rows={Array.from({ length: of }, (_, i) => ({ id: i + 1 }))}
      columns={[]}
      card={{ title: (row: { id: number }) => row.id, lines: [] }}
      sums={undefined}
      total={total}
      unit="笔"
      actions={undefined}
      onOpen={undefined}
      more={more}
      empty={null}
    />,
  );

test("on a phone more is offered as long as more can come; then is said how much there is", () => {
  expect(shown(20, 1234, () => undefined)).toContain("加载更多，共 1,234 笔");
  const most = shown(200, 1234);
  expect(most).not.toContain("加载更多");
  expect(most).toContain("已显示前 200 笔，共 1,234 笔，其余请筛选后查看");
  const all = shown(200, 200, () => undefined);
  expect(all).not.toContain("加载更多");
  expect(all).not.toContain("已显示前");
});
