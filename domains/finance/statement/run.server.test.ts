import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { addAccount } from "../account/account.service.ts";
import { aStore } from "../bill/bill.sample.ts";
import { listRuns } from "./statement.contract.ts";
import { perform } from "./run.service.ts";

const house = await testHouse();
const { pool, db } = house.database;

test("a long statement of somebody who has left meanwhile is not taken, and says why", async () => {
  const leaver = await house.person({ name: "林远", superType: "1" });
  const { villageId } = await aStore(house);
  const accountId = await addAccount(
    { tx: db },
    { enterpriseId: house.enterpriseId, name: "微信", kind: "wechat", holderVillageId: villageId },
  );
  const { data: file } = (await sendFile(house, leaver, { name: "微信账单.pdf", bytes: aPdf() })).body;
  const { rows } = await pool.query<{ id: number }>(
    `insert into statement_run (merchant_account_id, kind, file_name, file_id, created_at, created_by)
     values ($1, 'import', '微信账单', $2, now(), $3) returning id`,
    [accountId, file.id, leaver.operatorId],
  );
  await pool.query("update operator set state = 'disabled' where id = $1", [leaver.operatorId]);
  await perform(house, rows[0]!.id);
  const as = await house.person({ superType: "1" });
  expect(await house.did(listRuns, { as }, { query: { mode: "reconcile" } as never })).toMatchObject([
    { state: "failed", told: "发起人 林远 的账号已停用，没有继续办理，请由在职人员重新发起" },
  ]);
});
