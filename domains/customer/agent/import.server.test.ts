import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { filledIn } from "../../../platform/server/sheets/book.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { anAgentDesk } from "../../contract/contract/agent-deal.sample.ts";
import { agentErrorFile, agentTemplate, checkAgents, commitAgents, listAgents } from "./agent.contract.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:00:00+08:00");
const desk = await anAgentDesk(house);
const { keeper, stranger } = desk;
const as = keeper;

describe("the spreadsheet", () => {
  const filled = async (rows: (string | null)[][]) =>
    filledIn((await house.ask(agentTemplate, { as })).raw, "经纪人", rows);
  const check = async (bytes: Buffer, person = keeper) => {
    const form = new FormData();
    form.set("villageId", String(desk.villageId));
    form.append("file", new Blob([new Uint8Array(bytes)]), "经纪人.xlsx");
    const body = new Response(form);
    const answer = await house.app.inject({
      method: "POST",
      url: checkAgents.path,
      headers: { "content-type": body.headers.get("content-type")!, authorization: person.token },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    return { status: answer.statusCode, data: answer.json().data };
  };

  test("says every wrong cell and registers nobody", async () => {
    const bytes = await filled([
      ["姜维", "13630000901", null, "标准佣金"],
      ["姜", "1363000090", "没有的机构", null],
      ["姜平", "13630000901", null, "标准佣金"],
    ]);
    const { data } = await check(bytes);
    expect(
      data.errors.map((e: { row: number; header: string; msg: string }) => [e.row, e.header, e.msg]),
    ).toEqual(
      expect.arrayContaining([
        [3, "机构", "没有登记机构“没有的机构”"],
        [3, "电话", "手机格式不正确！"],
        [4, "电话", "与第 2 行重复"],
      ]),
    );
    expect(
      (await house.ask(commitAgents, { as, key: randomUUID() }, { params: { id: data.id }, body: {} }))
        .status,
    ).toBe(409);
    expect((await house.ask(agentErrorFile, { as }, { params: { id: data.id } })).status).toBe(200);
    expect((await house.did(listAgents, { as }, { query: { keyword: "姜" } })).total).toBe(0);
    expect((await check(bytes, stranger)).status).toBe(404);
  });

  test("registers all of a right one, once", async () => {
    const { data } = await check(
      await filled([
        ["温言", "13630000911", null, "标准佣金"],
        ["温语", "13630000912", null, "标准佣金"],
      ]),
    );
    expect(data.errors).toEqual([]);
    const commit = (person = keeper) =>
      house.ask(commitAgents, { as: person, key: randomUUID() }, { params: { id: data.id }, body: {} });
    expect((await commit(stranger)).status).toBe(404);
    expect((await commit()).body.data).toEqual({ made: 2 });
    expect((await commit()).status).toBe(409);
    expect((await house.did(listAgents, { as }, { query: { keyword: "温" } })).total).toBe(2);
  });
});
