import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { supplementFile } from "../moving/moving.contract.ts";
import { contractPaper, contractTemplates } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { aSuccession, C, R } from "../successor/successor.sample.ts";
import { aDesk, SIGN } from "./template.sample.ts";

const house = await testHouse();
const { shop, as, lease, handIn, renew, change, room } = await aSuccession(house);
const { aTemplate, edited, published } = await aDesk(house, shop);
const field = (name: string) => `<span data-field="${name}"></span>`;
const paper = async (id: number) =>
  textOfPdf((await house.ask(contractPaper, { as }, { params: { id } })).raw).replaceAll("\n", "");

test("a renewal is in the words of renewals where there are some, else in those of its kind", async () => {
  const own = await aTemplate();
  await edited(own, `<p>本店租约</p>${SIGN}`);
  await published(own);
  const first = await lease({ start: "2026-03-15" });
  const other = await lease({ start: "2026-03-15" });
  expect(await paper(first.id)).toContain("本店租约");
  house.setClock("2027-02-20T10:00:00+08:00");
  const before = await renew({ contractId: first.id, end: "2028-03-14" });
  await handIn(R, before.id);
  expect(await paper(before.contractId)).toContain("本店租约");

  const id = await aTemplate({ docKind: "renewal" });
  const text = `<p>本店续租 ${field("原合同编号")} 到 ${field("原到期日")}，转入 ${field("转入押金大写")}</p>`;
  await edited(id, text + SIGN);
  await published(id, "2027-02-20");
  const after = await renew({ contractId: other.id, end: "2028-03-14" });
  const offers = await house.did(contractTemplates, { as }, { params: { id: after.contractId } });
  expect(offers).toHaveLength(2);
  await handIn(R, after.id);
  const said = await paper(after.contractId);
  expect(said).toContain(`本店续租 ${other.contractNo} 到 2027-03-14，转入 叁仟伍佰元整`);
  // what was handed in before keeps its words
  expect(await paper(before.contractId)).toContain("本店租约");
});

test("the supplement of a change of room is in the store's words, signed by whom they name", async () => {
  house.setClock("2026-03-01T10:00:00+08:00");
  const id = await aTemplate({ docKind: "changeRoom" });
  await edited(id, `<p>本店换房 ${field("新房间")} ${field("签约应付大写")}</p><p>${field("客户签字")}</p>`);
  await published(id, "2026-03-01");
  const old = await lease({ start: "2026-03-01", rent: 300_000 });
  house.setClock("2026-05-14T10:00:00+08:00");
  const to = { effectiveOn: "2026-05-16", roomId: await room(), monthlyRent: 360_000 };
  const asked = await change({ contractId: old.id, kind: "room", ...to });
  const print = async () => {
    const { raw } = await house.ask(supplementFile, { as }, { params: { id: asked.id } });
    return textOfPdf(raw).replaceAll("\n", "");
  };
  await handIn(C, asked.id);
  expect(await print()).toMatch(/本店换房 .*玖佰零玖元陆角柒分/);
  await edited(id, `<p>第二版</p>${SIGN}`);
  await published(id, "2026-05-14");
  expect(await print()).toContain("本店换房");
});
