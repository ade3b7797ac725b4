import { describe, expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPng, aPdf, sendFile } from "../../system/file/file.sample.ts";
import { publicAgreement, publicH5, publicH5File } from "./h5.contract.ts";
import { aHeading, aPublishedH5, asPerson, aText } from "./h5.sample.ts";
import { createH5, offlineH5, publishH5, type Content } from "./h5.service.ts";

const house = await testHouse();
const { pool } = house.database;
const editor = await house.person({ superType: "1" });
const platform = await house.person({ superType: "0" });
const UNKNOWN = { code: 404, message: "页面不存在或已下线" };
const MAINTAINED = { code: 404, message: "协议内容维护中" };

const see = (id: number | string) => house.ask(publicH5, {}, { params: { id: String(id) } });
const publish = (id: number, content: Partial<Content>, as = editor) =>
  asPerson(house, as, (act) => publishH5(act, id, { title: "入住指南", blocks: [aText("好")], ...content }));
const upload = async (bytes = aPng(), name = "a.png") =>
  (await sendFile(house, editor, { name, bytes }, "paper10M")).body.data.id;

describe("a page", () => {
  test("is read by everybody; version 2 is there at the next look, and gone once it is taken off", async () => {
    const id = await aPublishedH5(house, editor);
    expect((await see(id)).body.data).toMatchObject({ number: 1, blocks: [{ text: "欢迎入住" }] });
    await publish(id, { title: "入住指南（新）", blocks: [aHeading("第一天"), aText("领取钥匙")] });
    expect((await see(id)).body.data).toMatchObject({ title: "入住指南（新）", number: 2 });
    await asPerson(house, editor, (act) => offlineH5(act, id));
    expect((await see(id)).body).toMatchObject(UNKNOWN);
    await publish(id, {});
    expect((await see(id)).body.data.number).toBe(3);
  });

  test("that is a draft, unknown, an agreement or no number is answered alike", async () => {
    const draft = await asPerson(house, editor, (act) => createH5(act, { name: "草稿" }));
    const agreement = await aPublishedH5(house, platform, { agreementType: "lease" });
    for (const id of [draft, agreement, 999_999, "abc", "1 or 1=1", "-1", "9".repeat(40)]) {
      const { body, headers } = await see(id);
      expect(body, String(id)).toMatchObject(UNKNOWN);
      expect(headers["set-cookie"]).toBeUndefined();
    }
  });

  test("with a script tag keeps its text only", async () => {
    const blocks = [aText("<script>alert(1)</script><b>欢迎</b>入住"), aHeading("<img src=x onerror=1>指南")];
    const id = await aPublishedH5(house, editor, { blocks });
    expect((await see(id)).body.data.blocks).toMatchObject([{ text: "欢迎入住" }, { text: "指南" }]);
  });

  test("shows its pictures to everybody, and nobody anything else", async () => {
    const [shown, other] = [await upload(), await upload()];
    const id = await aPublishedH5(house, editor, {
      blocks: [{ kind: "image", fileId: shown, alt: "大堂" }],
    });
    const file = (fileId: number | string, of = id) =>
      house.ask(publicH5File, {}, { params: { id: String(of), fileId: String(fileId) } });
    const got = await file(shown);
    expect(got.raw).toEqual(aPng());
    expect(got.headers).toMatchObject({ "content-type": "image/png" });
    expect((await file(other)).body).toMatchObject(UNKNOWN);
    expect((await file("x")).body).toMatchObject(UNKNOWN);
    await publish(id, {});
    expect((await file(shown)).body, "of a version before").toMatchObject(UNKNOWN);
  });

  test("is not published with what nobody could see or open", async () => {
    const theirs = (await sendFile(house, platform, { name: "b.png", bytes: aPng() }, "image2M")).body.data
      .id;
    const id = await aPublishedH5(house, editor);
    for (const fileId of [theirs, await upload(aPdf(), "a.pdf"), 999_999])
      await expect(
        publish(id, { blocks: [aText("好"), { kind: "gallery", images: [{ fileId, alt: "" }] }] }),
      ).rejects.toThrow("第2个区块的图片已失效");
    const link = { kind: "button" as const, label: "详情" };
    await expect(
      publish(id, { blocks: [{ ...link, to: { kind: "page", pageId: 999_999 } }] }),
    ).rejects.toThrow("第1个区块链接的页面不存在或已下线");
    await expect(publish(id, { title: " " })).rejects.toThrow("标题长度为2到60个字");

    const target = await aPublishedH5(house, editor);
    await publish(id, { blocks: [{ ...link, to: { kind: "page", pageId: target } }] });
    expect((await see(id)).body.data.blocks[0]).toMatchObject({ to: { gone: false } });
    await asPerson(house, editor, (act) => offlineH5(act, target));
    expect((await see(id)).body.data.blocks[0]).toMatchObject({ to: { gone: true } });
  });

  test("counts a visitor once a day, and remembers nobody", async () => {
    const id = await aPublishedH5(house, editor);
    const views = async () =>
      (await pool.query("select day::text, visitor from h5_view where page_id = $1 order by day", [id])).rows;
    await see(id);
    await see(id);
    expect(await views()).toHaveLength(1);
    await house.ask(publicH5, { headers: { "user-agent": "another phone" } }, { params: { id: String(id) } });
    expect(await views()).toHaveLength(2);
    house.setClock(new Date(Date.now() + 86_400_000).toISOString());
    await see(id);
    house.setClock(undefined);
    const rows = await views();
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((r: { visitor: Buffer }) => r.visitor.toString("hex"))).size).toBe(3);
    const { rows: log } = await pool.query("select 1 from operation_log where path like '%h5Page%'");
    expect(log).toEqual([]);
  });
});

describe("an agreement", () => {
  const read = (type: string, version?: string) =>
    house.ask(publicAgreement, {}, { query: { type, ...(version && { version }) } });

  test("says that it is being prepared until one holds", async () => {
    for (const type of ["member", "other", "user"]) expect((await read(type)).body).toMatchObject(MAINTAINED);
  });

  test("a new text is shown from its day on, and the old one can still be read by its version", async () => {
    const id = await aPublishedH5(house, platform, {
      agreementType: "privacy",
      title: "隐私政策",
      blocks: [aHeading("我们收集什么"), aText("旧的内容")],
    });
    const { today } = await asPerson(house, platform, async (act) => ({ today: act.today }));
    await publish(id, { title: "隐私政策", blocks: [aText("新的内容")], effectiveDay: today }, platform);
    const now = (await read("privacy")).body.data;
    expect(now).toMatchObject({ number: 2, before: 1, holds: null, blocks: [{ text: "新的内容" }] });
    const old = (await read("privacy", "1")).body.data;
    expect(old).toMatchObject({ number: 1, before: null, holds: 2, effectiveDay: today });
    expect(old.blocks[1]).toMatchObject({ text: "旧的内容" });

    await publish(
      id,
      { title: "隐私政策", blocks: [aText("下月")], effectiveDay: addDays(today, 30) },
      platform,
    );
    expect((await read("privacy")).body.data.number, "its day has not come").toBe(2);
    expect((await read("privacy", "3")).body.data).toMatchObject({ number: 3, holds: 2 });
    house.setClock(new Date(Date.now() + 31 * 86_400_000).toISOString());
    expect((await read("privacy")).body.data.number).toBe(3);
    house.setClock(undefined);
    for (const version of ["4", "0", "abc", "1.5"])
      expect((await read("privacy", version)).body).toMatchObject(MAINTAINED);
  });

  test("that was published can never be changed, removed or taken off, only followed by a newer one", async () => {
    const id = await aPublishedH5(house, platform, { agreementType: "user", title: "用户协议" });
    for (const sentence of [
      "update h5_version set title = '别的' where page_id = $1",
      "delete from h5_version where page_id = $1",
      "delete from h5_page where id = $1",
      "update h5_page set state = 'offline' where id = $1",
    ])
      await expect(pool.query(sentence, [id]), sentence).rejects.toThrow();
    await expect(asPerson(house, platform, (act) => offlineH5(act, id))).rejects.toThrow("不能下架");
    await expect(publish(id, {}, platform)).rejects.toThrow("请选择生效日期");
    await expect(publish(id, { effectiveDay: "2020-01-01" }, platform)).rejects.toThrow(
      "生效日期不能早于上一版本",
    );
    expect((await read("user")).body.data.number).toBe(1);
  });

  test("is the deployment's: a company neither changes it nor makes a second one", async () => {
    const id = (await pool.query<{ id: number }>("select id from h5_page where agreement_type = 'lease'"))
      .rows[0]!.id;
    await expect(publish(id, { effectiveDay: "2099-01-01" })).rejects.toMatchObject({ status: 404 });
    await expect(
      asPerson(house, platform, (act) => createH5(act, { name: "第二份", agreementType: "lease" })),
    ).rejects.toThrow();
  });
});
