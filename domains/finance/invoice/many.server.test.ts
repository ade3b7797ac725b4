import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aLine } from "../bill/bill.sample.ts";
import { cancelInvoice, issueInvoices } from "./acts.contract.ts";
import { anIssuer, applied, invoiceOf, lineOf, onInvoiceNow } from "./invoice.sample.ts";

const house = await testHouse();
const { as, paid } = await anIssuer(house);

test("of many that are issued together the one that cannot be is named, and the others wait", async () => {
  const ids: number[] = [];
  for (const name of ["张三", "李四"]) {
    const { billId } = await paid([aLine("property", 20_000)], { name, leased: false });
    const line = (await lineOf(house, billId, "property")).id;
    ids.push(...(await applied(house, as, [{ lineId: line, amount: 20_000 }])).ids);
  }
  const invoices = await Promise.all(ids.map((id) => invoiceOf(house, as, id)));
  const items = invoices.map(({ id, version }) => ({ id, version }));
  expect((await onInvoiceNow(house, as, cancelInvoice, ids[1]!, { reason: "重复申请" })).status).toBe(200);
  const { status, body } = await house.ask(issueInvoices, { as, key: randomUUID() }, { body: { items } });
  expect([status, body.message]).toEqual([409, `${invoices[1]!.applyNo}：数据已被他人修改，请刷新后重试`]);
  expect((await invoiceOf(house, as, ids[0]!)).state).toBe("applied");
});
